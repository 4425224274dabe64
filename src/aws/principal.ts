/**
 * Who to name in a trust policy or an access entry: of a session its role, which the next session has too; anything
 * else as it is. A role's path does not show in its sessions, so it is lost here.
 */
export function principalOf(arn: string): string {
  return arn.replace(/^(arn:[^:]+):sts::(\d+):assumed-role\/([^/]+)\/.*$/, "$1:iam::$2:role/$3");
}
