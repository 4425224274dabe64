// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are the shell's own variables
import { describe, expect, it } from "vitest";
import { type ContainerCommand, hasUnresolved, kubeProxyArgv } from "#src/kubernetes/argv.ts";

const serving = { unresolved: [], opaque: false, cleanup: false, notServing: null };

describe("kubeProxyArgv finds kube-proxy's own arguments", () => {
  it.each<[string, ContainerCommand, string[]]>([
    ["kubeadm", { command: ["/usr/local/bin/kube-proxy", "--config=/c"] }, ["--config=/c"]],
    ["command and args", { command: ["kube-proxy"], args: ["--v=2"] }, ["--v=2"]],
    [
      "an image entry point",
      { image: "r.io/kube-proxy:v1.40.0", args: ["--proxy-mode=ipvs"] },
      ["--proxy-mode=ipvs"],
    ],
    ["an image alone", { image: "r:5000/kube-proxy-amd64@sha256:00" }, []],
    ["args that name the program", { image: "x/kube-proxy:1", args: ["kube-proxy", "--v=1"] }, ["--v=1"]],
    ["a program of another image", { image: "x/hardened-kubernetes:1", command: ["kube-proxy"] }, []],
    ["hyperkube", { command: ["/hyperkube", "proxy", "--v=4"] }, ["--v=4"]],
    ["hyperkube's other name", { command: ["/hyperkube", "kube-proxy", "--v=4"] }, ["--v=4"]],
    [
      "hyperkube's entry point",
      { image: "k8s.gcr.io/hyperkube-amd64:v1.9.2", args: ["proxy", "--v=4"] },
      ["--v=4"],
    ],
    [
      "kOps' log runner",
      {
        command: ["/go-runner"],
        args: ["--log-file=/l", "--also-stdout", "/usr/local/bin/kube-proxy", "--v=2"],
      },
      ["--v=2"],
    ],
    [
      "EKS' first shell string",
      {
        command: [
          "/bin/sh",
          "-c",
          'kube-proxy --resource-container="" --proxy-mode=iptables 1>>/var/log/k.log 2>&1',
        ],
      },
      ["--resource-container=", "--proxy-mode=iptables"],
    ],
    [
      "a strict script with assignments, comments, a here-document and exec",
      {
        command: ["/bin/bash", "-ec"],
        args: [
          "#!/bin/bash\nset -euo pipefail\nMODE=ipvs # kube-proxy --proxy-mode=nftables\ncat <<EOF >/tmp/c\nkube-proxy --proxy-mode=userspace\nEOF\n" +
            "LOG=1 exec /usr/bin/kube-proxy \\\n  --proxy-mode=$MODE --v='2' >/dev/null 2>&1\n",
        ],
      },
      ["--proxy-mode=ipvs", "--v=2"],
    ],
    [
      "a pipe into tee after other commands",
      {
        command: [
          "sh",
          "-c",
          "modprobe ip_vs; sysctl -w a=1 && kube-proxy --v=2 2>&1 | tee /var/log/kube-proxy.log",
        ],
      },
      ["--v=2"],
    ],
    [
      "a condition",
      { command: ["sh", "-c", "if [ -f /x ]; then exec kube-proxy --config=/c; fi"] },
      ["--config=/c"],
    ],
    [
      "arguments after the script",
      { command: ["sh", "-c", 'exec kube-proxy "$@"', "--", "--proxy-mode=ipvs", "--v=2"] },
      ["--proxy-mode=ipvs", "--v=2"],
    ],
    [
      "a variable that holds several flags",
      { command: ["sh", "-c", 'FLAGS="--proxy-mode=ipvs --v=2"; kube-proxy $FLAGS'] },
      ["--proxy-mode=ipvs", "--v=2"],
    ],
    [
      "a default of the shell",
      { command: ["sh", "-c", "kube-proxy --proxy-mode=${M:-ipvs}"] },
      ["--proxy-mode=ipvs"],
    ],
    ["a script inside a wrapper", { command: ["tini", "--", "sh", "-c", "kube-proxy --v=2"] }, ["--v=2"]],
    [
      "the run that serves after a clean-up",
      { command: ["sh", "-c", "kube-proxy --cleanup && exec kube-proxy --v=2"] },
      ["--v=2"],
    ],
    ["Windows' own binary", { command: ["C:\\k\\kube-proxy.exe", "--v=4"] }, ["--v=4"]],
  ])("from %s", (_, container, argv) => {
    expect(kubeProxyArgv(container, {})).toEqual({ argv, ...serving });
  });
});

describe("kubeProxyArgv expands references", () => {
  it.each<[string, string[], Record<string, string | null>, string[], string[]]>([
    ["as the kubelet does", ["kube-proxy", "--proxy-mode=$(M)"], { M: "ipvs" }, ["--proxy-mode=ipvs"], []],
    ["but not ${M} without a shell", ["kube-proxy", "--m=${M}"], { M: "ipvs" }, ["--m=${M}"], []],
    ["with $$ as an escape", ["kube-proxy", "--m=$$(M)"], { M: "ipvs" }, ["--m=$(M)"], []],
    ["to the name, without a value", ["kube-proxy", "--m=$(M)"], { M: null }, ["--m=$(M)"], ["M"]],
    ["to the name, undeclared", ["kube-proxy", "--m=$(M)"], {}, ["--m=$(M)"], ["M"]],
    ["in a shell", ["sh", "-c", 'kube-proxy --n "${M}"'], { M: "a b" }, ["--n", "a b"], []],
    ["in a shell to the name", ["bash", "-c", 'kube-proxy --n "${M}"'], { M: null }, ["--n", "$(M)"], ["M"]],
    ["in a shell, the kubelet first", ["sh", "-c", "kube-proxy --m=$(M)"], { M: "ipvs" }, ["--m=ipvs"], []],
    [
      "not from a command",
      ["sh", "-c", "kube-proxy --n=$(hostname -f)"],
      {},
      ["--n=$(hostname -f)"],
      ["hostname -f"],
    ],
    ["not in single quotes", ["sh", "-c", "kube-proxy --m='$M'"], { M: "x" }, ["--m=$M"], []],
  ])("%s", (_, command, env, argv, unresolved) => {
    expect(kubeProxyArgv({ command }, env)).toEqual({ ...serving, argv, unresolved });
  });

  it("tells which value is not known", () => {
    const argv = kubeProxyArgv({ command: ["kube-proxy", "--a=$(N)", "--b=c"] }, {});
    expect(argv?.argv.map((arg) => hasUnresolved(arg, argv))).toEqual([true, false]);
  });
});

describe("kubeProxyArgv finds no kube-proxy in", () => {
  it.each<[string, ContainerCommand]>([
    ["a side-car with a similar name", { image: "x/kube-rbac-proxy:v4.14", args: ["--v=2"] }],
    [
      "a script that starts kube-rbac-proxy",
      { command: ["bash", "-c", "exec /usr/bin/kube-rbac-proxy --v=2"] },
    ],
    [
      "AKS' init container",
      { image: "x/kube-proxy:v1.29.7", command: ["/bin/sh", "-c", "iptables -L || true"] },
    ],
    ["a container that copies the binary", { command: ["cp", "/usr/local/bin/kube-proxy", "/host"] }],
    ["a shell that copies the binary", { command: ["sh", "-c", "cp /usr/local/bin/kube-proxy /host"] }],
    ["a bootstrap image", { image: "x/kube-proxy-bootstrap:1" }],
    ["an exporter", { image: "x/kube-proxy-exporter:1", args: ["--v=1"] }],
    [
      "a clean-up script",
      { image: "x/kube-proxy:v1.31.1", command: ["sh", "-c", "/script/cleanup.sh /mode"] },
    ],
    ["kube-router", { image: "x/kube-router", args: ["--run-service-proxy=true"] }],
    ["hyperkube as another component", { command: ["/hyperkube", "kubelet"] }],
    ["a pause", { image: "x/kube-proxy:v1.31.1", command: ["sleep", "infinity"] }],
    ["nothing", {}],
  ])("%s", (_, container) => {
    expect(kubeProxyArgv(container, {})).toBeNull();
  });
});

describe("kubeProxyArgv says that arguments are hidden", () => {
  it.each<[string, ContainerCommand]>([
    [
      "by a PowerShell script",
      { image: "x/kube-proxy:v1.29.2-calico-hostprocess", args: ["$env:X/kube-proxy/start.ps1"] },
    ],
    [
      "by PowerShell",
      { command: ["powershell", "-Command", "C:\\k\\kube-proxy.exe --proxy-mode=kernelspace"] },
    ],
    ["by a script in the image", { image: "x/kube-proxy:v1.31.1", command: ["/bin/sh", "/opt/start.sh"] }],
    [
      "by a script that a shell runs",
      { image: "x/kube-proxy:v1.31.1", command: ["sh", "-c", "exec /opt/run.sh"] },
    ],
    [
      "by a choice made on the node",
      {
        command: [
          "sh",
          "-c",
          "if x; then kube-proxy --proxy-mode=ipvs; else kube-proxy --proxy-mode=iptables; fi",
        ],
      },
    ],
  ])("%s", (_, container) => {
    expect(kubeProxyArgv(container, {})).toEqual({ ...serving, argv: [], opaque: true });
  });
});

describe("kubeProxyArgv tells runs that never proxy", () => {
  it.each<[string[], boolean, string | null]>([
    [["--cleanup"], true, null],
    [["--cleanup=true"], true, null],
    [["--cleanup=false"], false, null],
    [["--cleanup-ipvs=true"], false, null],
    [["--write-config-to=/tmp/c"], false, "--write-config-to"],
    [["--init-only"], false, "--init-only"],
    [["--init-only=false"], false, null],
    [["--version"], false, "--version"],
    [["--help"], false, "--help"],
    [["--v=2"], false, null],
  ])("%j: cleanup %s, exits for %s", (argv, cleanup, notServing) => {
    expect(kubeProxyArgv({ command: ["kube-proxy", ...argv] }, {})).toEqual({
      ...serving,
      argv,
      cleanup,
      notServing,
    });
  });
});
