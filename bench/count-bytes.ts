import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface ByteCount {
  /** Where to connect instead of the server's own port. */
  port: number;
  /** Bytes in both directions since the last reset: TLS and headers included. */
  count(): number;
  reset(): void;
  close(): Promise<void>;
}

/** A forwarder in front of a port of this machine that counts what passes. */
export async function countBytes(target: number): Promise<ByteCount> {
  let bytes = 0;
  const open = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    open.add(from);
    from.on("data", (chunk) => {
      bytes += chunk.length;
    });
    from.pipe(to);
    from.on("error", () => to.destroy());
    from.on("close", () => {
      open.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    count: () => bytes,
    reset() {
      bytes = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
