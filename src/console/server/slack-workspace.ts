import type { FakeSlackOptions } from "../slack-api/server.ts";

/** Whoever the page can be. What each may do is the app's to say (`PEOPLE_SETTINGS`). */
const PEOPLE = [
  { id: "U0ANN", name: "ann", realName: "Ann" },
  { id: "U0MIA", name: "mia", realName: "Mia" },
  { id: "U0RAV", name: "ravi", realName: "Ravi" },
  { id: "U0EVE", name: "eve", realName: "Eve" },
];

/** What the page's workspace has: people of every role, and a channel for each kind of conversation. */
export const CONSOLE_WORKSPACE: Partial<FakeSlackOptions> = {
  users: [{ id: "U0BOT", name: "proxy-audit", isBot: true }, ...PEOPLE],
  channels: [
    { id: "C0PAY", name: "team-payments" },
    { id: "C0DAT", name: "team-data" },
    { id: "C0PLA", name: "team-platform" },
    { id: "C0REL", name: "upgrade-approvals" },
    { id: "C0OPS", name: "fleet-operations" },
    { id: "C0OUT", name: "not-invited", hasBot: false },
  ],
  usergroups: [{ id: "S0APP", handle: "approvers", users: ["U0RAV"] }],
};

export const PEOPLE_SETTINGS = {
  roles: { member: "everyone", approver: { users: ["U0EVE"], usergroups: ["S0APP"] } },
  teams: {
    payments: { users: ["U0ANN"] },
    data: { users: ["U0MIA"] },
    platform: { users: ["U0RAV", "U0EVE"] },
  },
};
