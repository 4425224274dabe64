/** Who a bot token belongs to. */
export interface TokenOwner {
  teamId: string;
  team: string;
  botId: string;
  botUserId: string;
  appId: string;
}

export interface FakeUser {
  id: string;
  name: string;
  realName?: string;
  isBot?: boolean;
  /** Guests and people of other organisations, whom the app refuses. */
  isRestricted?: boolean;
  isStranger?: boolean;
}

export interface FakeChannel {
  id: string;
  name: string;
  /** The workspace it is in; the first token's when not given. */
  teamId?: string;
  isPrivate?: boolean;
  isArchived?: boolean;
  /** False: the app was never invited, and posting is refused (`not_in_channel`). */
  hasBot?: boolean;
}

export interface FakeUsergroup {
  id: string;
  handle: string;
  users: readonly string[];
}

export interface StoredMessage {
  ts: string;
  channel: string;
  /** The bot user that posted it. */
  user: string;
  botId: string;
  appId: string;
  teamId: string;
  text: string;
  blocks: readonly unknown[];
  /** The message whose thread it is in. */
  threadTs: string | null;
  /** Seen by this user alone; such a message cannot be updated and is gone after a reload. */
  onlyFor: string | null;
  editedTs: string | null;
  metadata: unknown;
}

export interface StoredView {
  id: string;
  hash: string;
  userId: string;
  teamId: string;
  appId: string;
  botId: string;
  rootViewId: string;
  previousViewId: string | null;
  /** As the app sent it, with the block identifiers that Slack makes up. */
  view: Readonly<Record<string, unknown>> & { blocks: readonly unknown[] };
}

export interface Trigger {
  userId: string;
  expiresAt: number;
  used: boolean;
}

/** What a `response_url` leads to. */
export interface ResponseTarget {
  channel: string;
  userId: string;
  owner: TokenOwner;
  uses: number;
  expiresAt: number;
  /** The message that `replace_original` and `delete_original` are about. */
  originalTs: string | null;
}

export type FakeSlackEvent =
  | { type: "message-posted" | "message-changed" | "message-deleted"; message: StoredMessage }
  | { type: "view-opened" | "view-updated" | "view-closed" | "home-published"; view: StoredView };

/** Everything in the fake workspace, to be read by tests and by the console's page. */
export interface Workspace {
  readonly tokens: ReadonlyMap<string, TokenOwner>;
  readonly users: ReadonlyMap<string, FakeUser>;
  readonly channels: Map<string, FakeChannel>;
  readonly usergroups: ReadonlyMap<string, FakeUsergroup>;
  /** In the order of their `ts`, threads and ephemeral messages included. */
  readonly messages: StoredMessage[];
  /** A person's open modals, the topmost last. */
  readonly modals: Map<string, StoredView[]>;
  readonly homes: Map<string, StoredView>;
  readonly triggers: Map<string, Trigger>;
  readonly responseTargets: Map<string, ResponseTarget>;
  /** Block types that Slack has and this workspace has not yet. */
  readonly missingBlocks: ReadonlySet<string>;
  readonly emit: (event: FakeSlackEvent) => void;
  /** A number that this workspace has not used yet. */
  readonly next: () => number;
}

/** A new `ts`, unique and later than every other. */
export function newTs(workspace: Workspace, now: Date): string {
  const last = Number(workspace.messages.at(-1)?.ts.split(".")[0] ?? 0);
  const second = Math.max(Math.floor(now.getTime() / 1000), last);
  return `${second}.${String(workspace.next()).padStart(6, "0")}`;
}

/** Blocks as Slack stores them: those without a `block_id` get one. */
export function withBlockIds(workspace: Workspace, blocks: readonly unknown[]): unknown[] {
  return blocks.map((block) =>
    typeof block === "object" && block !== null && !("block_id" in block)
      ? { ...block, block_id: `b${workspace.next()}` }
      : block,
  );
}
