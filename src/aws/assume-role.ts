import { AssumeRoleCommand, type STSClient } from "@aws-sdk/client-sts";
import { z } from "zod";
import { failed, type Outcome } from "#src/kubernetes/outcome.ts";
import type { AwsCredentials } from "./credentials.ts";
import { asked } from "./pages.ts";
import { memberSessionPolicy } from "./read-only-actions.ts";

export interface MemberRole {
  /** The role's name in every member account, with its path where it has one. */
  name: string;
  /** Must be the one in the role's trust policy; null where that asks for none. */
  externalId: string | null;
  /** Stands in CloudTrail and, as the user's name, in Kubernetes audit logs. */
  sessionName: string;
}

/** The shortest session STS gives: the audit of a cluster takes a minute. */
const SESSION_SECONDS = 900;

const credentialsAnswer = z.object({
  Credentials: z.object({
    AccessKeyId: z.string().min(1),
    SecretAccessKey: z.string().min(1),
    SessionToken: z.string().min(1),
    Expiration: z.date(),
  }),
});

/** Credentials of the member account's role, narrowed to reading, for 15 minutes; or why there are none. */
export async function assumeMemberRole(
  sts: STSClient,
  role: MemberRole,
  account: { id: string; partition: string },
): Promise<Outcome<AwsCredentials>> {
  const roleArn = roleArnOf(role.name, account);
  const answer = await asked(`AssumeRole ${roleArn}`, () =>
    sts.send(
      new AssumeRoleCommand({
        RoleArn: roleArn,
        RoleSessionName: sessionNameOf(role.sessionName),
        DurationSeconds: SESSION_SECONDS,
        Policy: memberSessionPolicy(),
        ...(role.externalId === null ? {} : { ExternalId: role.externalId }),
      }),
    ),
  );
  if (!answer.ok) return answer;
  const parsed = credentialsAnswer.safeParse(answer.value);
  if (!parsed.success) return failed("invalid", `AssumeRole ${roleArn}: the answer holds no credentials`);
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = parsed.data.Credentials;
  return {
    ok: true,
    value: {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: SessionToken,
      expiration: Expiration,
    },
  };
}

export function roleArnOf(roleName: string, account: { id: string; partition: string }): string {
  return `arn:${account.partition}:iam::${account.id}:role/${roleName.replace(/^\//, "")}`;
}

/** STS takes `[\w+=,.@-]{2,64}`. The same text gives the same name: roles may be trusted by session name. */
export function sessionNameOf(text: string): string {
  const name = text.replace(/[^\w+=,.@-]/g, "-").slice(0, 64);
  return name.length < 2 ? `${name}--`.slice(0, 2) : name;
}
