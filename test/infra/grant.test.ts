import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

const ROLE = "arn:aws:iam::111111111111:role/proxy-audit-read";

/** Runs the script with an AWS CLI and a kubectl that only say what they were asked to do. */
function grant(args: readonly string[], world: { mode?: string; entry?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "proxy-audit-grant-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { mode = "API_AND_CONFIG_MAP", entry = false } = world;
  write(
    join(folder, "aws"),
    `case "$1 $2" in
"sts get-caller-identity") echo arn:aws:iam::111111111111:user/me ;;
"eks describe-cluster") echo ${mode} ;;
"eks describe-access-entry") exit ${entry ? 0 : 1} ;;
"eks update-kubeconfig") ;;
*) echo "aws $*" ;;
esac`,
  );
  write(join(folder, "kubectl"), `echo "kubectl $1 $3 $4 $(basename "$5")"`);
  const run = spawnSync("bash", ["infra/access/grant.sh", ...args], {
    encoding: "utf8",
    env: { PATH: `${folder}:/usr/bin:/bin` },
  });
  return { status: run.status, stdout: run.stdout.split("\n").filter(Boolean), stderr: run.stderr };
}

function write(file: string, script: string): void {
  writeFileSync(file, `#!/bin/bash\n${script}\n`);
  chmodSync(file, 0o755);
}

const CREATE = `aws eks create-access-entry --region eu-west-1 --cluster-name payments --principal-arn ${ROLE} --type STANDARD --kubernetes-groups proxy-audit`;

describe("infra/access/grant.sh", () => {
  it("makes an access entry and applies the roles, and nothing else", () => {
    expect(grant(["payments", "eu-west-1"])).toEqual({
      status: 0,
      stdout: [CREATE, "kubectl --kubeconfig apply -f rbac.yaml"],
      stderr: "",
    });
  });

  it("prints both instead with --dry-run", () => {
    const { status, stdout } = grant(["--dry-run", "payments", "eu-west-1"]);
    expect(status).toBe(0);
    expect(stdout[0]?.trim()).toBe(CREATE);
    expect(stdout[1]).toMatch(/^kubectl --kubeconfig \S+ apply -f \S+\/infra\/kubernetes\/rbac\.yaml/);
  });

  it("leaves an entry that is there", () => {
    const { stdout, stderr } = grant(["payments", "eu-west-1"], { entry: true });
    expect(stdout).toEqual(["kubectl --kubeconfig apply -f rbac.yaml"]);
    expect(stderr).toContain("has an access entry");
  });

  it("changes nothing in a cluster that takes no access entries, and says what to do", () => {
    const run = grant(["payments", "eu-west-1"], { mode: "CONFIG_MAP" });
    expect(run).toMatchObject({ status: 1, stdout: [] });
    expect(run.stderr).toContain(`{rolearn: ${ROLE}, username: proxy-audit, groups: [proxy-audit]}`);
  });

  it("asks for a cluster and a Region", () => {
    expect(grant(["payments"])).toMatchObject({ status: 1, stdout: [] });
  });
});
