/** Stable codes: scripts and tests match on these, not on messages. */
export type ProxyAuditErrorCode =
  | "usage"
  | "not-found"
  | "invalid-manifest"
  | "no-clusters"
  | "invalid-kubeconfig"
  | "invalid-configuration"
  | "forbidden"
  | "store-unavailable"
  | "unsupported-node"
  | "aws"
  | "slack";

/**
 * The one error that people see. The message names the thing that is wrong and the next step; `cluster` names
 * the cluster it is about, where there is one.
 */
export class ProxyAuditError extends Error {
  override readonly name = "ProxyAuditError";
  readonly code: ProxyAuditErrorCode;
  readonly cluster: string | undefined;

  constructor(
    code: ProxyAuditErrorCode,
    message: string,
    options: { cluster?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.cluster = options.cluster;
  }
}
