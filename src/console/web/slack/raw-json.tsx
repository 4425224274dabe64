import { useQuery } from "@tanstack/react-query";
import { Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from "react-aria-components";
import { postJson } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";

/** A message or view as it goes to Slack, and what Slack would say about it. */
export function RawJson({ what, json }: { what: "message" | "view"; json: unknown }) {
  return (
    <DialogTrigger>
      <Button quiet aria-label={`JSON of this ${what}`}>
        JSON
      </Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal modal-wide">
          <Dialog className="dialog">
            {({ close }) => <Content what={what} json={json} close={close} />}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

function Content({ what, json, close }: { what: "message" | "view"; json: unknown; close: () => void }) {
  const text = JSON.stringify(json, null, 2);
  const checked = useQuery({
    queryKey: ["validate", text],
    queryFn: () => postJson<{ problems: string[] }>("/api/slack/validate", { [what]: json }),
  });
  const { data } = checked;
  return (
    <>
      <div className="dialog-head">
        <Heading slot="title">As Slack has it</Heading>
        <div className="buttons">
          <CopyButton text={text} what="the JSON" />
          <Button quiet aria-label="Close" onPress={close}>
            ✕
          </Button>
        </div>
      </div>
      <div role="status">
        {checked.error !== null && <p>It could not be checked: {checked.error.message}</p>}
        {data?.problems.length === 0 && (
          <p className="json-fine">✓ The validator finds nothing that Slack would refuse.</p>
        )}
        {data !== undefined && data.problems.length > 0 && (
          <ul className="json-problems">
            {data.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the arrow keys */}
      <pre className="json" tabIndex={0}>
        {text}
      </pre>
    </>
  );
}
