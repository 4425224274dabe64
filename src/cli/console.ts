import { spawn } from "node:child_process";
import { Command, InvalidArgumentError, Option } from "commander";
import { ProxyAuditError } from "#src/model/errors.ts";
import { packageFile } from "#src/package-file.ts";
import { plain } from "#src/report/text.ts";
import { openExistingStore } from "./audit-options.ts";
import type { CliIo } from "./io.ts";

interface ConsoleOptions {
  port: number;
  demo?: boolean;
  store?: string;
  kubeconfig?: string;
  open: boolean;
}

/** Where `npm run build:console` puts the page. */
const PAGE = "dist/console";

export function consoleCommand(io: CliIo, done: (code: number) => void): Command {
  return new Command("console")
    .description("the fleet and the Slack front end on a local page, for this machine only")
    .addOption(new Option("--port <n>", "where it listens on 127.0.0.1").default(4140).argParser(port))
    .addOption(new Option("--demo", "the built-in demo fleet"))
    .addOption(new Option("--store <file>", "the store to show (default: the XDG state folder)"))
    .addOption(
      new Option(
        "--kubeconfig <file>",
        "clusters that can be scanned (default: KUBECONFIG, then ~/.kube/config)",
      ),
    )
    .addOption(new Option("--no-open", "open no browser"))
    .action(async (options: ConsoleOptions) => {
      const { startConsole } = await import("#src/console/server/start-console.ts");
      const { openDemoFleet } = await import("#src/console/server/demo-fleet.ts");
      const console = await startConsole({
        port: options.port,
        page: page(),
        fleets: { demo: openDemoFleet, own: () => ownFleet(options, io) },
        first: options.demo === true ? "demo" : "own",
        now: () => io.now(),
        log: (text) => io.stderr(text),
      });
      io.stdout(`The console is at ${console.url}\nCtrl-C ends it.\n`);
      if (options.open && io.progress) openBrowser(console.url);
      await interrupted();
      await console.close();
      done(0);
    });
}

function page(): string {
  try {
    return packageFile(PAGE);
  } catch (cause) {
    throw new ProxyAuditError("not-found", `the page is not built yet: npm run build:console builds it.`, {
      cause,
    });
  }
}

async function ownFleet(options: ConsoleOptions, io: CliIo) {
  const store = await openExistingStore(options, io);
  return {
    kind: "own" as const,
    label: options.store ?? "the audits of your own scans",
    store,
    sources: [
      {
        id: "kubeconfig",
        label: `The contexts of ${plain(options.kubeconfig ?? "your kubeconfig")}`,
        async clusters() {
          const { clustersFromKubeconfig } = await import("#src/inventory/kubeconfig.ts");
          const { clusters } = await clustersFromKubeconfig({
            ...(options.kubeconfig === undefined ? {} : { file: options.kubeconfig }),
            env: io.env,
            allContexts: true,
          });
          return clusters;
        },
      },
    ],
    close: () => store.close(),
  };
}

function port(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value < 65_536) return value;
  throw new InvalidArgumentError("Give a port, or 0 for any that is free.");
}

/** The user's own browser; where there is none, the address was printed. */
function openBrowser(url: string): void {
  const [program, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", url]
        : ["xdg-open", url];
  if (program === undefined) return;
  spawn(program, args, { detached: true, stdio: "ignore" })
    .on("error", () => undefined)
    .unref();
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
