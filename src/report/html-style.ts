/** The page's style sheet: the reader's own font and colour scheme, wide tables scroll, and it prints. */
export const HTML_STYLE = `:root {
  color-scheme: light dark;
  --text: light-dark(#1f2328, #e6edf3);
  --quiet: light-dark(#59636e, #9198a1);
  --page: light-dark(#ffffff, #0d1117);
  --line: light-dark(#d1d9e0, #3d444d);
  --bad: light-dark(#b3261e, #ff8d85);
  --doubtful: light-dark(#8a5a00, #e3b341);
  --good: light-dark(#1a7f37, #57c772);
}
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 0; border-top: 1px solid var(--line); padding-top: 1.5rem; }
h3 { margin: 1.5rem 0 0.5rem; }
h4 { margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
th, td { padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
article { margin: 0.75rem 0; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 6px; }
article p { margin: 0.5rem 0; }
dl { margin: 0.5rem 0 0; display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt, .quiet, .id { color: var(--quiet); }
dd { margin: 0; }
.id { margin: 0; }
code { font-size: 0.85em; color: var(--quiet); }
.verdict { white-space: nowrap; font-weight: 600; }
.blocked, .blocks-now, .blocks-later, .not-reached { color: var(--bad); }
.incomplete, .clear-with-warnings, .unknown, .warning { color: var(--doubtful); }
.clear { color: var(--good); }
.not-reached { font-weight: 600; }
.next { border-left: 4px solid var(--line); padding-left: 1rem; }
@media print { article, tr { break-inside: avoid; } }
`;
