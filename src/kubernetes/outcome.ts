import { z } from "zod";
import type { Unseen } from "#src/model/observed.ts";
import { printable } from "./printable.ts";

/** An HTTP answer, read in full and decoded. */
export interface Answer {
  status: number;
  contentType: string;
  retryAfter: string | undefined;
  location: string | undefined;
  body: Buffer;
}

export interface Failed {
  ok: false;
  why: Unseen;
  detail: string;
  /** The same GET may work when asked again at once: the connection broke on the way. */
  transient?: boolean;
}

export type Outcome<T> = { ok: true; value: T } | Failed;

export function failed(why: Unseen, detail: string): Failed {
  return { ok: false, why, detail };
}

const statusSchema = z.object({
  kind: z.literal("Status"),
  message: z.string().optional().catch(undefined),
  metadata: z
    .object({ continue: z.string().min(1).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

interface Status {
  /** Fit to be shown; empty when the server gave none. */
  message: string;
  /** The fresh continue token of a 410. */
  continueToken: string | undefined;
}

/** The Status object of a refusal; undefined when the answer is something else (a 429 is plain text). */
export function statusOf(answer: Answer): Status | undefined {
  const body = jsonOf(answer);
  if (!body.ok) return undefined;
  const status = statusSchema.safeParse(body.value);
  if (!status.success) return undefined;
  return {
    message: printable(status.data.message ?? ""),
    continueToken: status.data.metadata?.continue,
  };
}

/** The body as JSON, or why it is none. */
export function jsonOf(answer: Answer): Outcome<unknown> {
  const text = answer.body.toString("utf8");
  if (/^\s*</.test(text) || answer.contentType.startsWith("text/html")) {
    return failed(
      "invalid",
      `HTTP ${answer.status} with a web page instead of an API answer: is there a login page or a proxy in between?`,
    );
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return failed("invalid", `HTTP ${answer.status} with a body that is not JSON`);
  }
}

/** Why an answer other than 200 is a refusal, in the words of `Observed`; undefined for 200. */
export function refusalOf(answer: Answer, server: URL): Failed | undefined {
  const { status } = answer;
  if (status === 200) return undefined;
  if (status >= 300 && status < 400) return redirected(answer, server);
  const explained = statusOf(answer);
  const said = explained?.message || `HTTP ${status} without an explanation`;
  switch (status) {
    case 401:
      return failed("unauthenticated", `${server.host} does not accept the credentials: ${said}`);
    case 403:
      return failed("forbidden", said);
    case 404:
      return isKubernetesNotFound(answer, explained)
        ? failed("absent", said)
        : failed("invalid", `HTTP 404 from ${server.host}, but not as a Kubernetes API server says it`);
    case 429:
      return failed("throttled", `${server.host} turns requests away for now (HTTP 429)`);
    default:
      return status >= 500
        ? failed("unreachable", `${server.host} cannot answer (HTTP ${status}): ${said}`)
        : failed("invalid", said);
  }
}

/**
 * Only the API server's own 404 is a positive "there is none". It says so as a Status, or, for a group that is
 * not installed, as the text `404 page not found` (recorded from kube-apiserver 1.36). The 404 page of a load
 * balancer says nothing about the cluster.
 */
function isKubernetesNotFound(answer: Answer, explained: Status | undefined): boolean {
  return explained !== undefined || answer.body.toString("utf8").trim() === "404 page not found";
}

/** Redirects are not followed: the request carries credentials that are meant for this server alone. */
function redirected(answer: Answer, server: URL): Failed {
  const target =
    answer.location !== undefined && URL.canParse(answer.location, server.href)
      ? printable(new URL(answer.location, server.href).host)
      : "an unnamed address";
  return failed("invalid", `${server.host} redirects to ${target} (HTTP ${answer.status}): not followed`);
}
