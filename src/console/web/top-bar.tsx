import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { StateJson } from "#src/console/server/fleet-routes.ts";
import { postJson } from "./api.ts";
import { ScanButton } from "./scan/scan-dialog.tsx";
import { useScan } from "./scan/scan-state.tsx";
import { applyTheme, storedTheme, THEMES, type Theme } from "./theme.ts";
import { Button } from "./ui/button.tsx";
import { Choose } from "./ui/choose.tsx";

const FLEETS = { own: "Your fleet", demo: "Demo fleet" } as const;
const PAGES = [
  { href: "/", text: "Fleet", covers: /^\/($|clusters)/ },
  { href: "/decisions", text: "Decisions", covers: /^\/decisions/ },
  { href: "/slack", text: "Slack", covers: /^\/slack/ },
];
const THEME_NAMES = { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" } as const;

export function TopBar({ state }: { state: StateJson | undefined }) {
  const [path] = useLocation();
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const showFleet = useShowFleet();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return (
    <header className="top-bar">
      <Link href="/" className="brand">
        proxy-audit
      </Link>
      <nav aria-label="Pages">
        {PAGES.map(({ href, text, covers }) => (
          <Link key={href} href={href} aria-current={covers.test(path) ? "page" : undefined}>
            {text}
          </Link>
        ))}
      </nav>
      <div className="top-bar-tools">
        {state !== undefined && state.kinds.length > 1 && (
          <Choose
            label="Fleet shown"
            hideLabel
            value={state.fleet.kind}
            options={state.kinds.map((kind) => ({ id: kind, text: FLEETS[kind] }))}
            onChange={(kind) => showFleet.mutate(kind as StateJson["fleet"]["kind"])}
          />
        )}
        <ScanButton />
        <Button
          quiet
          onPress={() => {
            applyTheme(next);
            setTheme(next);
          }}
        >
          {THEME_NAMES[theme]}
        </Button>
      </div>
      {showFleet.error !== null && (
        <p className="top-bar-problem field-problem" role="alert">
          {showFleet.error.message}
        </p>
      )}
    </header>
  );
}

/** Shows the other fleet: everything that was read belongs to the one before. */
export function useShowFleet() {
  const queries = useQueryClient();
  const { watch } = useScan();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (kind: StateJson["fleet"]["kind"]) => postJson<StateJson>("/api/fleet", { kind }),
    async onSuccess(state) {
      queries.setQueryData(["state"], state);
      navigate("/");
      await queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== "state" });
      if (state.scan !== null) watch(state.scan);
    },
  });
}
