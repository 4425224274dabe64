import {
  Button,
  ComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
} from "react-aria-components";

export interface Option {
  id: string;
  text: string;
}

/** One of several; for a filter, the first option is usually "all". */
export function Choose(props: {
  label: string;
  hideLabel?: boolean;
  value: string;
  options: readonly Option[];
  /** Shown while nothing is chosen. */
  placeholder?: string;
  onChange: (id: string) => void;
}) {
  return (
    <Select
      className="field"
      value={props.placeholder !== undefined && props.value === "" ? null : props.value}
      onChange={(key) => props.onChange(String(key))}
      {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
      {...(props.hideLabel === true ? { "aria-label": props.label } : {})}
    >
      {props.hideLabel !== true && <Label>{props.label}</Label>}
      <Button className="select">
        <SelectValue className="select-value" />
        <span aria-hidden="true" className="chevron" />
      </Button>
      <Options options={props.options} />
    </Select>
  );
}

/** A value to type, with suggestions. `onChange` gets it when it is chosen, or typed and left. */
export function TypeOrChoose(props: {
  label: string;
  value: string;
  options: readonly Option[];
  problem: string | null;
  onChange: (text: string) => void;
}) {
  return (
    <ComboBox
      className="field type-or-choose"
      allowsCustomValue
      menuTrigger="focus"
      defaultInputValue={props.value}
      defaultItems={props.options}
      isInvalid={props.problem !== null}
      onSelectionChange={(key) => key !== null && props.onChange(String(key))}
      onBlur={(event) => {
        if (event.target instanceof HTMLInputElement) props.onChange(event.target.value);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
          props.onChange(event.target.value);
        }
      }}
    >
      <Label>{props.label}</Label>
      <div className="type-or-choose-box">
        <Input />
        <Button aria-label="Suggestions">
          <span aria-hidden="true" className="chevron" />
        </Button>
      </div>
      <Options options={props.options} />
    </ComboBox>
  );
}

function Options({ options }: { options: readonly Option[] }) {
  return (
    <Popover className="popover" offset={4}>
      <ListBox className="options" items={options}>
        {(option) => (
          <ListBoxItem id={option.id} textValue={option.text} className="option">
            {option.text}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  );
}
