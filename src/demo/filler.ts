import { z } from "zod";
import type { KubernetesObject } from "./api-server/kubernetes-object.ts";

/** Services by the thousand, asked for in a few lines: the same ones in every namespace, with nothing behind them. */
export const fillerSchema = z.object({
  namespaces: z.int().positive(),
  /** Namespaces are called by it and a number of four digits: `pr-0001`. */
  prefix: z.string(),
  services: z.array(z.string()).min(1),
  /** A /16 that no other Service of the cluster has addresses of. */
  serviceCidr: z.string().regex(/^\d+\.\d+\.0\.0\/16$/),
});
export type Filler = z.infer<typeof fillerSchema>;

const CREATED = "2026-11-23T07:30:00Z";
const PORT = 8080;
/** Addresses of a /16 without the first and the last. */
const ADDRESSES = 65_534;

/** A Service and its EndpointSlice for each namespace and name. Throws when the addresses do not suffice. */
export function fillerObjects({ namespaces, prefix, services, serviceCidr }: Filler): KubernetesObject[] {
  if (namespaces * services.length > ADDRESSES) throw new RangeError(`${serviceCidr} has too few addresses`);
  const [first, second] = serviceCidr.split(".");
  return Array.from({ length: namespaces }, (_, index) =>
    services.flatMap((name, position) => {
      const namespace = `${prefix}${String(index + 1).padStart(4, "0")}`;
      const number = index * services.length + position + 1;
      const address = `${first}.${second}.${number >> 8}.${number & 255}`;
      return [serviceOf(namespace, name, address), sliceOf(namespace, name)];
    }),
  ).flat();
}

function serviceOf(namespace: string, name: string, address: string): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, creationTimestamp: CREATED, labels: { app: name } },
    spec: {
      clusterIP: address,
      clusterIPs: [address],
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ports: [{ name: "http", port: 80, targetPort: PORT, protocol: "TCP" }],
      selector: { app: name },
      sessionAffinity: "None",
      type: "ClusterIP",
    },
    status: { loadBalancer: {} },
  };
}

function sliceOf(namespace: string, name: string): KubernetesObject {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: `${name}-slice`,
      namespace,
      creationTimestamp: CREATED,
      generateName: `${name}-`,
      labels: {
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
        "kubernetes.io/service-name": name,
      },
    },
    addressType: "IPv4",
    endpoints: [],
    ports: [],
  };
}
