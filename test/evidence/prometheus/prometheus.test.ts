import { afterEach, describe, expect, it } from "vitest";
import { readPrometheus } from "#src/evidence/prometheus/read.ts";
import { observedValue } from "#src/model/observed.ts";
import { type Served, serve } from "./serve.ts";

const AT = "2026-11-30T09:00:00Z";

/** An answer as Prometheus 2.42 and Thanos give it. */
function vector(series: [Record<string, string>, string][], more: object = {}): string {
  const result = series.map(([metric, value]) => ({ metric, value: [1_796_000_000.123, value] }));
  return JSON.stringify({ status: "success", data: { resultType: "vector", result }, ...more });
}

let served: Served | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

async function answered(status: number, body: string, headers: Record<string, string> = {}) {
  served = await serve((_, response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body);
  });
  const { metrics } = await readPrometheus({
    url: served.url,
    at: AT,
    timeoutMs: 500,
    maxBodyBytes: 100_000,
  });
  return metrics;
}

describe("reading Prometheus", () => {
  it.each<[string, number, string, string, string]>([
    ["a login page", 200, "<html>Log in</html>", "invalid", "not an answer of Prometheus' query API"],
    ["an empty body", 200, "", "invalid", "not an answer of Prometheus' query API"],
    ["another API's JSON", 200, '{"kind":"Status"}', "invalid", "not an answer of Prometheus' query API"],
    [
      "a matrix",
      200,
      '{"status":"success","data":{"resultType":"matrix","result":[]}}',
      "invalid",
      "not an answer",
    ],
    [
      "a refused query",
      400,
      '{"status":"error","errorType":"bad_data","error":"parse error"}',
      "invalid",
      "bad_data: parse error",
    ],
    [
      "a query that took too long",
      503,
      '{"status":"error","errorType":"timeout","error":"query timed out"}',
      "timeout",
      "query timed out",
    ],
    ["no credentials", 401, "Unauthorized", "unauthenticated", "HTTP 401"],
    ["too few rights", 403, "Forbidden", "forbidden", "HTTP 403"],
    ["too many queries", 429, "slow down", "throttled", "HTTP 429"],
    ["a gateway without Prometheus behind it", 502, "Bad Gateway", "unreachable", "HTTP 502"],
    ["no such path", 404, "404 page not found", "invalid", "HTTP 404"],
    [
      "a body that is too large",
      200,
      `{"status":"${"x".repeat(200_000)}"}`,
      "invalid",
      "more than 100000 bytes",
    ],
  ])("says what is wrong with %s", async (_, status, body, why, detail) => {
    const metrics = await answered(status, body);
    expect(metrics).toMatchObject({ seen: false, why });
    expect(metrics.seen === false && metrics.detail).toContain(detail);
  });

  it("does not follow a redirect", async () => {
    const metrics = await answered(302, "", { Location: "http://169.254.169.254/" });
    expect(metrics).toMatchObject({ seen: false, why: "invalid" });
  });

  it("gives up on a server that does not answer", async () => {
    served = await serve(() => undefined);
    const { metrics } = await readPrometheus({ url: served.url, at: AT, timeoutMs: 200 });
    expect(metrics).toMatchObject({ seen: false, why: "timeout" });
  });

  it("says that nothing listens", async () => {
    served = await serve(() => undefined);
    const { url } = served;
    await served.close();
    served = undefined;
    const { metrics } = await readPrometheus({ url, at: AT, timeoutMs: 500 });
    expect(metrics).toMatchObject({ seen: false, why: "unreachable" });
  });

  it("only sends GETs to /api/v1/query below the path of the URL, with the URL's user, and shows neither user nor password", async () => {
    const asked: string[] = [];
    served = await serve((request, response) => {
      asked.push(`${request.method} ${request.url?.split("?")[0]} ${request.headers.authorization}`);
      response.end(vector([]));
    });
    const url = new URL("/prom/", served.url);
    url.username = "auditor";
    url.password = "s3cret";
    const { metrics } = await readPrometheus({ url, at: AT });
    const expected = `GET /prom/api/v1/query Basic ${Buffer.from("auditor:s3cret").toString("base64")}`;
    expect(asked).toEqual([expected, expected]);
    expect(JSON.stringify(metrics)).not.toMatch(/s3cret|auditor/);
  });

  it("takes an answer that a store is missing from (Thanos) as read in part", async () => {
    const metrics = await answered(
      200,
      vector([[{ __name__: "kubeproxy_sync_proxy_rules_duration_seconds_count", instance: "a" }, "3"]], {
        warnings: ["1 store did not answer"],
      }),
    );
    expect(metrics).toMatchObject({ seen: "partial", why: "invalid" });
  });

  it("counts an instance that two jobs scrape once, by the fuller job", async () => {
    const failures = "kubeproxy_sync_proxy_rules_nftables_sync_failures_total";
    const build = { __name__: "kubernetes_build_info", git_version: "v1.34.1", platform: "linux/amd64" };
    const metrics = await answered(
      200,
      vector([
        [{ __name__: failures, instance: "node-a:10249", job: "kube-proxy", ip_family: "IPv4" }, "2"],
        [{ __name__: failures, instance: "node-a:10249", job: "kube-proxy", ip_family: "IPv6" }, "1"],
        [{ ...build, instance: "node-a:10249", job: "kube-proxy" }, "1"],
        [{ __name__: failures, instance: "node-a:10249", job: "extra", ip_family: "IPv4" }, "2"],
        [{ __name__: failures, instance: "node-b:10249", job: "kube-proxy", ip_family: "IPv4" }, "NaN"],
      ]),
    );
    expect(
      observedValue(metrics)?.map(({ instance, parsed }) => [
        instance,
        parsed.mode,
        parsed.version,
        parsed.nftablesSyncFailures,
      ]),
    ).toEqual([["node-a:10249", "nftables", "v1.34.1", 3]]);
  });
});
