import { type Control, ControlPart, type Press } from "./controls.tsx";
import { type RichElement, RichText } from "./rich-text.tsx";
import { SlackTable, type TableBlock } from "./table.tsx";
import { SlackText, type TextObject } from "./text.tsx";

/** As loose as Slack's own JSON: what is not known is shown by its name. */
export interface Block extends Partial<Omit<TableBlock, "caption">> {
  type: string;
  block_id?: string;
  text?: TextObject;
  fields?: readonly TextObject[];
  accessory?: Control;
  elements?: readonly unknown[];
  caption?: string;
  label?: TextObject;
  hint?: TextObject;
  optional?: boolean;
  element?: Control & {
    initial_value?: string;
    initial_date?: string;
    multiline?: boolean;
    max_length?: number;
  };
}

interface BlocksProps {
  blocks: readonly Block[];
  busy: boolean;
  press: (blockId: string, action: Parameters<Press>[0]) => void;
}

/** The blocks of a message or page. Those that only dialogs have (inputs) are left to the dialog. */
export function Blocks({ blocks, busy, press }: BlocksProps) {
  return (
    <div className="blocks">
      {blocks.map((block, index) => (
        <BlockPart
          key={block.block_id ?? index}
          block={block}
          busy={busy}
          press={(action) => press(block.block_id ?? "", action)}
        />
      ))}
    </div>
  );
}

function BlockPart({ block, busy, press }: { block: Block; busy: boolean; press: Press }) {
  switch (block.type) {
    case "header":
      return <h3 className="block-header">{block.text?.text}</h3>;
    case "divider":
      return <hr />;
    case "section":
      return (
        <div className="block-section">
          <div className="block-text">
            {block.text !== undefined && (
              <div>
                <SlackText text={block.text} />
              </div>
            )}
            {block.fields !== undefined && (
              <div className="block-fields">
                {block.fields.map((field) => (
                  <div key={field.text}>
                    <SlackText text={field} />
                  </div>
                ))}
              </div>
            )}
          </div>
          {block.accessory !== undefined && (
            <ControlPart control={block.accessory} busy={busy} press={press} />
          )}
        </div>
      );
    case "context":
      return (
        <div className="block-context">
          {((block.elements ?? []) as readonly TextObject[]).map((text) => (
            <span key={text.text}>
              <SlackText text={text} />
            </span>
          ))}
        </div>
      );
    case "actions":
      return (
        <div className="buttons">
          {((block.elements ?? []) as readonly Control[]).map((control) => (
            <ControlPart key={control.action_id} control={control} busy={busy} press={press} />
          ))}
        </div>
      );
    case "rich_text":
      return <RichText elements={(block.elements ?? []) as readonly RichElement[]} />;
    case "table":
    case "data_table":
      return (
        <SlackTable
          block={{
            rows: block.rows ?? [],
            ...(block.caption === undefined ? {} : { caption: block.caption }),
            ...(block.page_size === undefined ? {} : { page_size: block.page_size }),
            ...(block.column_settings === undefined ? {} : { column_settings: block.column_settings }),
          }}
        />
      );
    default:
      return <p className="muted">[A {block.type} block, which this page cannot draw: see its JSON]</p>;
  }
}
