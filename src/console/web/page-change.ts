import { useEffect, useRef } from "react";
import { clusterIdAt } from "./cluster/cluster-link.tsx";

/**
 * What a browser does when a page changes, for pages that change without it: the title, the beginning of the page,
 * and the focus there, so that a screen reader says where one is. Going back is left to the browser, which knows
 * where the page was scrolled to.
 */
export function usePageChange(path: string): void {
  const wentBack = useRef(false);
  const before = useRef(path);
  useEffect(() => {
    const back = () => {
      wentBack.current = true;
    };
    window.addEventListener("popstate", back);
    return () => window.removeEventListener("popstate", back);
  }, []);
  useEffect(() => {
    document.title = `${titleOf(path)} · proxy-audit`;
    const inSlack = path.startsWith("/slack") && before.current.startsWith("/slack");
    if (path !== before.current && !inSlack) {
      if (!wentBack.current) window.scrollTo(0, 0);
      document.getElementById("main")?.focus({ preventScroll: true });
    }
    before.current = path;
    wentBack.current = false;
  }, [path]);
}

function titleOf(path: string): string {
  const [, page = ""] = path.split("/");
  if (page === "clusters") return clusterIdAt(location.pathname).replace(/^[a-z]+:/, "");
  return { "": "Fleet", decisions: "Decisions", slack: "Slack" }[page] ?? "Not found";
}
