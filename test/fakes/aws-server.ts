import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorAnswer, type Protocol, type WireAnswer } from "./aws/answers.ts";
import { directoryAnswer, type Sessions } from "./aws/directory-api.ts";
import { eksAnswer, eksOperation } from "./aws/eks-api.ts";
import type { FakeCall, FakeFault, FakeFleet } from "./aws/fleet.ts";

export interface AwsServer {
  /** For AWS_ENDPOINT_URL. */
  url: string;
  /** Every call so far, in order, with the HTTP status of its answer (0 for one that hangs). */
  calls: readonly (FakeCall & { status: number })[];
  sessions: Sessions;
  setFaults(faults: readonly FakeFault[]): void;
  close(): Promise<void>;
}

/** The hub's long-lived key: put it into the environment, or into a provider. */
export function hubCredentials(fleet: FakeFleet): { accessKeyId: string; secretAccessKey: string } {
  return { accessKeyId: `AKIA${fleet.hub}`, secretAccessKey: "secret" };
}

/**
 * STS, Organizations, Account, EC2 (Regions), Config (aggregator) and EKS on loopback, in the services' own wire
 * formats: an organization that denies, throttles and closes Regions as `fleet` says. It knows the caller by the
 * access key, and holds a session to the policy it was assumed with. Signatures are not verified.
 */
export async function startAwsServer(
  fleet: FakeFleet,
  options: { now?: () => Date; throttles?: (call: FakeCall) => boolean } = {},
): Promise<AwsServer> {
  const calls: (FakeCall & { status: number })[] = [];
  const sessions: Sessions = new Map();
  const now = options.now ?? (() => new Date());
  let faults: { fault: FakeFault; left: number }[] = [];

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const call = callOf(request, body, sessions);
    const fault = faults.find(({ fault, left }) => left > 0 && matches(fault, call));
    if (fault !== undefined) fault.left -= 1;
    if (fault?.fault.kind === "hang") {
      calls.push({ ...call, status: 0 });
      return;
    }
    const answer =
      (options.throttles?.(call) === true ? throttled(call) : null) ??
      faulty(fault?.fault, call) ??
      answerTo(fleet, call, sessions, now());
    calls.push({ ...call, status: answer.status });
    response.writeHead(answer.status, { "x-amzn-requestid": "r", ...answer.headers });
    response.end(answer.body);
  }

  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    sessions,
    setFaults: (next) => {
      faults = next.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Operations that are told by method and path, by `x-amz-target`, or by the form field `Action`. */
function callOf(request: IncomingMessage, body: string, sessions: Sessions): FakeCall {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const [, key = "", region = "", service = ""] =
    /Credential=([^/]+)\/\d{8}\/([^/]+)\/([^/]+)\//.exec(request.headers.authorization ?? "") ?? [];
  const account = sessions.get(key)?.account ?? key.replace(/^AKIA/, "");
  const common = { service, region, account };
  const target = request.headers["x-amz-target"];
  if (typeof target === "string") {
    return {
      ...common,
      operation: target.split(".").at(-1) ?? "",
      input: fieldsOf(JSON.parse(body || "{}")),
    };
  }
  if (service === "account") return { ...common, operation: "ListRegions", input: {} };
  const rest = eksOperation(request.method ?? "GET", url.pathname);
  if (rest !== null) {
    return { ...common, ...rest, input: { ...rest.input, ...Object.fromEntries(url.searchParams) } };
  }
  const form = Object.fromEntries(new URLSearchParams(body));
  return { ...common, operation: form.Action ?? url.pathname, input: form };
}

function fieldsOf(value: object): Record<string, string> {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, String(field)]));
}

function answerTo(fleet: FakeFleet, call: FakeCall, sessions: Sessions, now: Date): WireAnswer {
  const account = fleet.accounts.find(({ id }) => id === call.account);
  const region = account?.regions[call.region];
  const action = `${call.service}:${call.operation}`;
  if (call.account !== fleet.hub) {
    const allowed = [...sessions.values()].findLast((session) => session.account === call.account)?.allowed;
    const lacks = account?.lacks?.includes(action) === true;
    if (lacks || allowed === undefined || !(allowed.includes("*") || allowed.includes(action))) {
      return denied(call, "because no identity-based policy allows the action");
    }
  }
  if (region?.closed === "policy") return denied(call, "with an explicit deny in a service control policy");
  if (region?.closed === "not-enabled") {
    const message = "The security token included in the request is invalid.";
    return errorAnswer(protocolOf(call), "UnrecognizedClientException", message);
  }
  const known = directoryAnswer(fleet, call, sessions, now);
  if (known !== null) return known;
  return eksAnswer(fleet, region ?? { clusters: [] }, call);
}

function denied(call: FakeCall, why: string): WireAnswer {
  const code = {
    "rest-json": "AccessDeniedException",
    json: "AccessDeniedException",
    query: "AccessDenied",
    ec2: "UnauthorizedOperation",
  };
  const protocol = protocolOf(call);
  const message = `User: arn:aws:sts::${call.account}:assumed-role/member/audit is not authorized to perform: ${call.service}:${call.operation} ${why}`;
  return errorAnswer(protocol, code[protocol], message);
}

function protocolOf({ service }: FakeCall): Protocol {
  if (service === "sts") return "query";
  if (service === "ec2") return "ec2";
  return service === "organizations" || service === "config" ? "json" : "rest-json";
}

function throttled(call: FakeCall): WireAnswer {
  return errorAnswer(protocolOf(call), "ThrottlingException", "Rate exceeded");
}

function matches(fault: FakeFault, call: FakeCall): boolean {
  return (
    fault.operation === call.operation &&
    (fault.account === undefined || fault.account === call.account) &&
    (fault.region === undefined || fault.region === call.region) &&
    (fault.cluster === undefined || fault.cluster === call.input.name)
  );
}

function faulty(fault: FakeFault | undefined, call: FakeCall): WireAnswer | null {
  if (fault === undefined) return null;
  switch (fault.kind) {
    case "throttle":
      return throttled(call);
    case "deny":
      return denied(call, "because no identity-based policy allows the action");
    case "error":
      return errorAnswer(
        protocolOf(call),
        "ServerException",
        "These errors are usually caused by a server-side issue.",
      );
    case "web-page":
      return {
        status: 404,
        headers: { "content-type": "text/html" },
        body: "<!doctype html><title>404</title>",
      };
    default:
      return null;
  }
}
