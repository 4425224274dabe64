import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import type { StoredView } from "#src/console/slack-api/workspace.ts";
import { postJson } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { type Block, Blocks } from "./blocks/blocks.tsx";
import type { TextObject } from "./blocks/text.tsx";
import { RawJson } from "./raw-json.tsx";

interface ModalView {
  title: TextObject;
  submit?: TextObject;
  close?: TextObject;
  blocks: readonly Block[];
}

/** Somebody's topmost dialog. Escape and its close button close it, as in Slack. */
export function ModalDialog({ stored, userId }: { stored: StoredView; userId: string }) {
  const view = stored.view as unknown as ModalView;
  const close = useMutation({ mutationFn: () => postJson("/api/slack/close", { userId }) });
  const submit = useMutation({
    mutationFn: (values: object) =>
      postJson<{ errors: Record<string, string> }>("/api/slack/submit", { userId, values }),
  });
  const errors = submit.data?.errors ?? {};
  const general = submit.error?.message ?? errors[""];

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    submit.mutate(Object.fromEntries(view.blocks.flatMap((block) => submittedValue(block, form))));
  }

  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && close.mutate()}>
      <Modal className="modal">
        <Dialog className="dialog">
          <div className="dialog-head">
            <Heading slot="title">{view.title.text}</Heading>
            <RawJson what="view" json={stored.view} />
          </div>
          <form onSubmit={send} noValidate className="slack-form">
            {view.blocks.map((block, index) =>
              block.type === "input" ? (
                <InputPart key={block.block_id ?? index} block={block} error={errors[block.block_id ?? ""]} />
              ) : (
                <Blocks
                  key={block.block_id ?? index}
                  blocks={[block]}
                  busy={submit.isPending}
                  press={() => undefined}
                />
              ),
            )}
            {general !== undefined && (
              <p className="field-problem" role="alert">
                {general}
              </p>
            )}
            <div className="buttons">
              {view.submit !== undefined && (
                <Button type="submit" tone="primary" isPending={submit.isPending}>
                  {submit.isPending ? "Sending …" : view.submit.text}
                </Button>
              )}
              <Button onPress={() => close.mutate()}>{view.close?.text ?? "Close"}</Button>
            </div>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function InputPart({ block, error }: { block: Block; error: string | undefined }) {
  const id = useId();
  const { element, label, hint, optional } = block;
  const [empty, setEmpty] = useState(false);
  if (element === undefined) return null;
  const described = [hint === undefined ? "" : `${id}-hint`, error === undefined ? "" : `${id}-error`].join(
    " ",
  );
  const shared = {
    id,
    name: block.block_id ?? "",
    "aria-invalid": error !== undefined || empty,
    ...(described.trim() === "" ? {} : { "aria-describedby": described.trim() }),
    onBlur: (event: { target: { value: string } }) =>
      setEmpty(optional !== true && event.target.value.trim() === ""),
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        {label?.text}
        {optional === true && <span className="muted"> (optional)</span>}
      </label>
      {element.type === "plain_text_input" && element.multiline === true ? (
        <textarea {...shared} rows={3} maxLength={element.max_length} defaultValue={element.initial_value} />
      ) : element.type === "static_select" ? (
        <select {...shared} defaultValue={element.initial_option?.value ?? ""}>
          <option value="">{element.placeholder?.text ?? "Choose"}</option>
          {(element.options ?? []).map((option) => (
            <option key={option.value} value={option.value}>
              {option.text.text}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type={element.type === "datepicker" ? "date" : "text"}
          maxLength={element.max_length}
          defaultValue={element.initial_value ?? element.initial_date ?? ""}
        />
      )}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="muted small">
          {hint.text}
        </span>
      )}
      {(error !== undefined || empty) && (
        <span id={`${id}-error`} className="field-problem small" role="alert">
          {error ?? "Please complete this required field."}
        </span>
      )}
    </div>
  );
}

/** An input's value as Slack sends it. */
function submittedValue(block: Block, form: FormData): [string, object][] {
  const { element, block_id } = block;
  if (element === undefined || block_id === undefined) return [];
  const text = String(form.get(block_id) ?? "");
  const value = text === "" ? null : text;
  switch (element.type) {
    case "datepicker":
      return [[block_id, { type: element.type, selected_date: value }]];
    case "static_select":
      return [
        [
          block_id,
          {
            type: element.type,
            selected_option: element.options?.find((option) => option.value === value) ?? null,
          },
        ],
      ];
    default:
      return [[block_id, { type: element.type, value }]];
  }
}
