import { useState } from "react";
import {
  Button as AriaButton,
  Dialog,
  Heading,
  Menu,
  MenuItem,
  MenuTrigger,
  Modal,
  ModalOverlay,
  Popover,
} from "react-aria-components";
import { Button } from "../../ui/button.tsx";
import { Choose } from "../../ui/choose.tsx";
import { SlackText, type TextObject } from "./text.tsx";

export interface Choice {
  text: TextObject;
  value: string;
}

export interface Control {
  type: string;
  action_id: string;
  text?: TextObject;
  value?: string;
  url?: string;
  style?: string;
  confirm?: { title: TextObject; text: TextObject; confirm: TextObject; deny: TextObject; style?: string };
  placeholder?: TextObject;
  options?: readonly Choice[];
  initial_option?: Choice;
}

/** What Slack would send about a control that was used. */
export type Press = (action: { type: string; action_id: string; [key: string]: unknown }) => void;

/** A button, a menu or an overflow menu of a message or page. */
export function ControlPart({ control, busy, press }: { control: Control; busy: boolean; press: Press }) {
  switch (control.type) {
    case "button":
      return <ButtonPart control={control} busy={busy} press={press} />;
    case "static_select":
      return (
        <Choose
          label={control.placeholder?.text ?? "Choose"}
          hideLabel
          value={control.initial_option?.value ?? ""}
          placeholder={control.placeholder?.text ?? "Choose"}
          options={(control.options ?? []).map(({ text, value }) => ({ id: value, text: text.text }))}
          onChange={(value) => press(chosen(control, value))}
        />
      );
    case "overflow":
      return (
        <MenuTrigger>
          <AriaButton
            className="button button-plain"
            aria-label={control.placeholder?.text ?? "More actions"}
          >
            ⋯
          </AriaButton>
          <Popover className="popover">
            <Menu className="options" onAction={(key) => press(chosen(control, String(key)))}>
              {(control.options ?? []).map(({ text, value }) => (
                <MenuItem key={value} id={value} className="option" textValue={text.text}>
                  {text.text}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      );
    default:
      return <span className="muted">[{control.type}]</span>;
  }
}

function chosen(control: Control, value: string) {
  const option = control.options?.find((one) => one.value === value);
  return { type: control.type, action_id: control.action_id, selected_option: option };
}

function ButtonPart({ control, busy, press }: { control: Control; busy: boolean; press: Press }) {
  const [asking, setAsking] = useState(false);
  const { confirm, style, url } = control;
  const act = () =>
    press({
      type: "button",
      action_id: control.action_id,
      text: control.text,
      ...(control.value === undefined ? {} : { value: control.value }),
    });
  const label = control.text === undefined ? control.action_id : control.text.text;
  const tone = style === "primary" || style === "danger" ? style : undefined;
  if (url !== undefined) {
    return (
      <a className="button button-plain" href={url} target="_blank" rel="noopener noreferrer" onClick={act}>
        {label}
      </a>
    );
  }
  return (
    <>
      <Button tone={tone} isPending={busy} onPress={() => (confirm === undefined ? act() : setAsking(true))}>
        {label}
      </Button>
      {confirm !== undefined && (
        <ModalOverlay className="overlay" isDismissable isOpen={asking} onOpenChange={setAsking}>
          <Modal className="modal">
            <Dialog className="dialog" role="alertdialog">
              <Heading slot="title">{confirm.title.text}</Heading>
              <p>
                <SlackText text={confirm.text} />
              </p>
              <div className="buttons">
                <Button
                  tone={confirm.style === "danger" ? "danger" : "primary"}
                  onPress={() => {
                    setAsking(false);
                    act();
                  }}
                >
                  {confirm.confirm.text}
                </Button>
                <Button quiet onPress={() => setAsking(false)}>
                  {confirm.deny.text}
                </Button>
              </div>
            </Dialog>
          </Modal>
        </ModalOverlay>
      )}
    </>
  );
}
