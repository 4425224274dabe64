/** What the server says went wrong, in words for people. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const TOKEN_KEY = "proxy-audit-token";

/**
 * The token comes in the fragment of the address that the command line prints, which no request carries. It is
 * kept for this origin, so that a second tab works, and taken out of the address, so that a shared screen does not
 * show it.
 */
export function takeToken(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given === null) return;
  localStorage.setItem(TOKEN_KEY, given);
  history.replaceState(null, "", location.pathname + location.search);
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${localStorage.getItem(TOKEN_KEY) ?? ""}`);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    throw new ApiError(
      "gone",
      0,
      "The console does not answer. Is it still running in its terminal? Start it again, then reload.",
    );
  }
  if (response.ok) return response;
  const body: { error?: { code?: string; message?: string } } = await response.json().catch(() => ({}));
  throw new ApiError(
    body.error?.code ?? "unexpected",
    response.status,
    body.error?.message ?? "The console failed at this.",
  );
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, signal === undefined ? {} : { signal });
  return (await response.json()) as T;
}

export async function postJson<T>(path: string, body: unknown): Promise<T> {
  const response = await request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as T;
}

/**
 * Server-sent events, one JSON value each, until the stream ends or `signal` does. By `fetch`, because an
 * EventSource cannot send the token.
 */
export async function* events<T>(path: string, signal: AbortSignal): AsyncGenerator<T> {
  const response = await request(path, { signal });
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      if (part.startsWith("data: ")) yield JSON.parse(part.slice("data: ".length)) as T;
    }
  }
}
