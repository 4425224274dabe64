import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { ProxyAuditError } from "#src/model/errors.ts";
import { clientConfiguration } from "./clients.ts";
import type { CredentialsProvider } from "./credentials.ts";
import { awsFailureOf } from "./failure.ts";

/** A text that is kept elsewhere, by name; or, for local runs, the text itself. */
export type NamedText =
  | { from: "ssm"; name: string }
  | { from: "secrets-manager"; name: string }
  | { from: "environment"; value: string };

/**
 * The text that a name stands for. It is fetched anew each time: who needs it keeps it, for as long as a changed
 * secret may go unnoticed.
 *
 * @throws ProxyAuditError `invalid-configuration` with the name and what AWS said; never with the value.
 */
export async function textOf(
  named: NamedText,
  through: { region: string; credentials: CredentialsProvider },
): Promise<string> {
  if (named.from === "environment") return named.value;
  const configuration = clientConfiguration(through.region, through.credentials);
  const { name } = named;
  const client =
    named.from === "ssm" ? new SSMClient(configuration) : new SecretsManagerClient(configuration);
  try {
    const text =
      client instanceof SSMClient
        ? (await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }))).Parameter?.Value
        : (await client.send(new GetSecretValueCommand({ SecretId: name }))).SecretString;
    if (!text) throw new Error("it is empty, or not text");
    return text;
  } catch (cause) {
    const call = named.from === "ssm" ? "GetParameter" : "GetSecretValue";
    throw new ProxyAuditError("invalid-configuration", awsFailureOf(cause, `${call} ${name}`).detail, {
      cause,
    });
  } finally {
    client.destroy();
  }
}
