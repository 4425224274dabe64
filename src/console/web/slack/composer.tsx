import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { SlackJson } from "#src/console/server/slack-desk.ts";
import { postJson } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { completionsOf } from "./completions.ts";

const COMMAND = "/proxy-audit";

/** The message box: completes commands and names; Enter sends, Tab and Enter on a suggestion take it. */
export function Composer({
  slack,
  userId,
  channel,
  channelName,
}: {
  slack: SlackJson;
  userId: string;
  channel: string;
  channelName: string;
}) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const listId = useId();
  const completions = open ? completionsOf(text, slack) : [];
  const say = useMutation({
    mutationFn: (said: string) => postJson("/api/slack/say", { userId, channel, text: said }),
  });

  function type(next: string): void {
    setText(next);
    setOpen(true);
    setActive(-1);
  }

  function send(): void {
    const typed = text.trim();
    if (typed === "" || say.isPending) return;
    say.mutate(typed === COMMAND ? "" : typed.replace(/^\/proxy-audit\s+/, ""));
    setText("");
    setOpen(false);
  }

  const wrong =
    text.trim() !== "" && !`${text.trim()} `.startsWith(`${COMMAND} `) && !COMMAND.startsWith(text.trim());
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (!wrong) send();
      }}
    >
      {completions.length > 0 && (
        <div className="completions" role="listbox" id={listId} aria-label="Suggestions">
          {completions.map((completion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the box's
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <div
              key={completion.label}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              className="completion"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => type(completion.text)}
            >
              <span>{completion.label}</span>
              <span className="muted">{completion.hint}</span>
            </div>
          ))}
        </div>
      )}
      <div className="composer-box">
        <input
          role="combobox"
          aria-label={`Message to #${channelName}`}
          aria-expanded={completions.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          {...(active >= 0 ? { "aria-activedescendant": `${listId}-${active}` } : {})}
          autoComplete="off"
          spellCheck={false}
          placeholder={`${COMMAND} fleet`}
          value={text}
          onChange={(event) => type(event.target.value)}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={(event) => {
            if (event.key === "Escape") setOpen(false);
            if (completions.length === 0) return;
            const taken = completions[active] ?? (event.key === "Tab" ? completions[0] : undefined);
            if (event.key === "ArrowDown" || event.key === "ArrowUp") {
              event.preventDefault();
              const step = event.key === "ArrowDown" ? 1 : -1;
              setActive((active + step + completions.length) % completions.length);
            } else if ((event.key === "Tab" && !event.shiftKey) || event.key === "Enter") {
              if (taken === undefined) return;
              event.preventDefault();
              type(taken.text);
            }
          }}
        />
        <Button
          type="submit"
          tone="primary"
          isPending={say.isPending}
          isDisabled={wrong || text.trim() === ""}
        >
          {say.isPending ? "Waiting …" : "Send"}
        </Button>
      </div>
      {wrong && <p className="field-problem small">The app answers to {COMMAND}; start with that.</p>}
      {say.error !== null && (
        <p className="field-problem small" role="alert">
          {say.error.message}
        </p>
      )}
    </form>
  );
}
