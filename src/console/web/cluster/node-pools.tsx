import type { NodePool, NodeSummary } from "#src/model/cluster-audit.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";

const NFTABLES = {
  yes: "accepted",
  no: "too old",
  unknown: "unknown",
  "not-applicable": "does not run this kube-proxy",
} as const satisfies Record<NodePool["nftables"], string>;

/** Nodes by pool, with what kube-proxy's nftables mode says to their kernels. */
export function NodePools({ nodes }: { nodes: NodeSummary }) {
  return (
    <section className="panel" aria-labelledby="nodes">
      <h2 id="nodes">
        Nodes <span className="count">{nodes.count}</span>
      </h2>
      {nodes.count === 0 ? (
        <p className="muted">No nodes were read.</p>
      ) : (
        <>
          <p className="small">
            {nodes.belowNftablesKernel} with a kernel below 5.13, {nodes.unknownKernel} with an unknown
            kernel, {nodes.containerd1} with containerd 1.x.
          </p>
          <ScrollRegion labelledBy="nodes">
            <table className="plain-table">
              <thead>
                <tr>
                  <th scope="col">Pool</th>
                  <th scope="col" className="number">
                    Nodes
                  </th>
                  <th scope="col">Kernels</th>
                  <th scope="col">For nftables mode</th>
                </tr>
              </thead>
              <tbody>
                {nodes.pools.map((pool) => (
                  <tr key={`${pool.name} ${pool.kernels.join()}`}>
                    <th scope="row">{pool.name}</th>
                    <td className="number">{pool.count}</td>
                    <td>{pool.kernels.length === 0 ? "unknown" : pool.kernels.join(", ")}</td>
                    <td>
                      <span className={`kernel-${pool.nftables}`}>{NFTABLES[pool.nftables]}</span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        </>
      )}
    </section>
  );
}
