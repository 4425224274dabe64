import type { Observed } from "#src/model/observed.ts";
import type { Resource } from "./resources.ts";

/**
 * What a list is asked for: whole objects, metadata only (PartialObjectMetadata), or the server-side Table
 * with `includeObject=None`. A source that knows no Table answers with objects; callers take what comes.
 */
export type Representation = "objects" | "metadata" | "table";

export interface ListRequest {
  resource: Resource;
  /** Left out: all namespaces. */
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** Default `objects`. */
  as?: Representation;
  /** Items asked for per page, default 500. */
  pageSize?: number;
  /** Stop reading after that many items. */
  atMost?: number;
}

export interface ObjectPage {
  kind: "objects";
  /** Raw objects, or metadata-only objects when `metadata` was asked for. */
  items: readonly unknown[];
}

export interface TablePage {
  kind: "table";
  /** Column names as the server gives them, e.g. `Kernel-Version`. */
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}

export type Page = ObjectPage | TablePage;

/** How pages become a value. A list that has to start over calls `start` again. */
export interface Fold<T> {
  start(): T;
  add(value: T, page: Page): void;
}

export interface Listed<T> {
  value: T;
  /** Items read. */
  count: number;
  /** Items the server says are left after `atMost` stopped the reading; 0 when all was read, null when it did not say. */
  remaining: number | null;
}

export interface VersionInfo {
  major: string;
  minor: string;
  gitVersion: string;
}

export interface PodLogRequest {
  namespace: string;
  pod: string;
  container?: string;
  /** Bytes from the start of the log. */
  limitBytes: number;
}

/**
 * Reads one cluster. It has no method that can write. Every outcome is an `Observed`: none of these throws for
 * what a server or a network can do. `https-reader.ts` and `manifest-reader.ts` implement it.
 */
export interface ClusterReader {
  /** GET /version. */
  version(): Promise<Observed<VersionInfo>>;
  /** One object, raw; `metadata` asks for PartialObjectMetadata. */
  get(
    resource: Resource,
    at: { namespace?: string; name: string },
    as?: "objects" | "metadata",
  ): Promise<Observed<unknown>>;
  /** A collection, page by page, folded into a value so that no more than a page is held. */
  list<T>(request: ListRequest, fold: Fold<T>): Promise<Observed<Listed<T>>>;
  /** The start of a container's log, as text. */
  podLog(request: PodLogRequest): Promise<Observed<string>>;
  /** `/proxyMode` of kube-proxy's metrics port, through the API server: needs `get pods/proxy`. */
  podProxyMode(pod: { namespace: string; pod: string }): Promise<Observed<string>>;
  /** Ends connections. */
  close(): Promise<void>;
}
