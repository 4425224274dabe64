import type { Resource } from "#src/kubernetes/resources.ts";
import type { Fault } from "./faults.ts";
import type { RbacRule } from "./rbac.ts";

export interface ApiServerUser {
  name: string;
  /** `all`: may read everything, as cluster-admin may. */
  rules: readonly RbacRule[] | "all";
}

export interface ApiServerOptions {
  /** Objects as manifests hold them; Lists are opened. */
  objects: readonly unknown[];
  /** Answered to GET /version; what is missing is filled in from `gitVersion`. */
  version: { gitVersion: string } & Readonly<Record<string, string>>;
  /** By bearer token. */
  users: Readonly<Record<string, ApiServerUser>>;
  /** Who a token that is not in `users` belongs to, where tokens are made anew each time, as EKS's are. */
  authenticate?: (token: string) => ApiServerUser | undefined;
  /** What a request without a token may read: `/version` and health as kubeadm has it (default), or nothing. */
  anonymous?: "version" | "none";
  /** Custom kinds that are installed though no object and no CustomResourceDefinition shows it. */
  installed?: readonly Resource[];
  /** Container logs by `namespace/pod/container`. */
  logs?: Readonly<Record<string, string>>;
  faults?: readonly Fault[];
  /** The server's resource version, which continue tokens carry; default: counted from the objects. */
  resourceVersion?: number;
  /** Clock for the Age column. */
  now?: () => Date;
  /** Default 0: any free port. */
  port?: number;
}

export interface LoggedRequest {
  method: string;
  /** Path and query as sent. */
  path: string;
  user: string;
  status: number;
}

export interface ApiServer {
  /** `https://127.0.0.1:PORT` */
  url: string;
  port: number;
  /** Certificate to trust, PEM. */
  ca: string;
  /** Every request so far, in the order they were answered (a hanging one is logged with status 0). */
  requests: readonly LoggedRequest[];
  /** How many requests used another method than GET; all were refused with 405. */
  writesRefused(): number;
  setFaults(faults: readonly Fault[]): void;
  close(): Promise<void>;
}
