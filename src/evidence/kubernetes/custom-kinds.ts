import { z } from "zod";
import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import { RESOURCES, type Resource } from "#src/kubernetes/resources.ts";
import type { Observed } from "#src/model/observed.ts";
import { itemsOf, projecting } from "./projecting.ts";

export interface FelixConfiguration {
  name: string;
  bpfEnabled: boolean | null;
  nftablesMode: string | null;
}

export interface CalicoInstallation {
  name: string;
  /** `Iptables`, `Nftables`, `BPF` or `VPP`. */
  linuxDataplane: string | null;
  variant: string | null;
}

export interface OpenShiftNetwork {
  name: string;
  defaultNetwork: string | null;
  deployKubeProxy: boolean | null;
}

export interface Ec2NodeClass {
  name: string;
  amiFamily: string | null;
  amiAliases: string[];
}

/** Custom kinds that checks read. `absent` (404) means that the kind is not installed: a "no". */
export interface CustomKinds {
  felix: Observed<FelixConfiguration[]>;
  installations: Observed<CalicoInstallation[]>;
  openShiftNetworks: Observed<OpenShiftNetwork[]>;
  l2Advertisements: Observed<{ namespace: string; name: string }[]>;
  ec2NodeClasses: Observed<Ec2NodeClass[]>;
}

const metadata = z.object({ name: z.string(), namespace: z.string().nullish() });

const felixSchema = z.object({
  metadata,
  spec: z.object({ bpfEnabled: z.boolean().nullish(), nftablesMode: z.string().nullish() }).nullish(),
});
const installationSchema = z.object({
  metadata,
  spec: z
    .object({
      variant: z.string().nullish(),
      calicoNetwork: z.object({ linuxDataplane: z.string().nullish() }).nullish(),
    })
    .nullish(),
});
const networkSchema = z.object({
  metadata,
  spec: z
    .object({
      defaultNetwork: z.object({ type: z.string().nullish() }).nullish(),
      deployKubeProxy: z.boolean().nullish(),
    })
    .nullish(),
});
const l2Schema = z.object({ metadata });
const nodeClassSchema = z.object({
  metadata,
  spec: z
    .object({
      amiFamily: z.string().nullish(),
      amiSelectorTerms: z.array(z.object({ alias: z.string().nullish() })).nullish(),
    })
    .nullish(),
});

async function readKind<S extends z.ZodType, T>(
  reader: ClusterReader,
  resource: Resource,
  schema: S,
  project: (object: z.infer<S>) => T,
): Promise<Observed<T[]>> {
  const parse = (item: unknown): T | null => {
    const parsed = schema.safeParse(item);
    return parsed.success ? project(parsed.data) : null;
  };
  return itemsOf(await reader.list({ resource }, projecting(parse)));
}

/** Lists the few custom kinds by which replacements and neighbours of kube-proxy are told. */
export async function readCustomKinds(reader: ClusterReader): Promise<CustomKinds> {
  return {
    felix: await readKind(reader, RESOURCES.felixConfigurations, felixSchema, (object) => ({
      name: object.metadata.name,
      bpfEnabled: object.spec?.bpfEnabled ?? null,
      nftablesMode: object.spec?.nftablesMode ?? null,
    })),
    installations: await readKind(reader, RESOURCES.calicoInstallations, installationSchema, (object) => ({
      name: object.metadata.name,
      linuxDataplane: object.spec?.calicoNetwork?.linuxDataplane ?? null,
      variant: object.spec?.variant ?? null,
    })),
    openShiftNetworks: await readKind(reader, RESOURCES.openShiftNetworks, networkSchema, (object) => ({
      name: object.metadata.name,
      defaultNetwork: object.spec?.defaultNetwork?.type ?? null,
      deployKubeProxy: object.spec?.deployKubeProxy ?? null,
    })),
    l2Advertisements: await readKind(reader, RESOURCES.l2Advertisements, l2Schema, (object) => ({
      namespace: object.metadata.namespace ?? "",
      name: object.metadata.name,
    })),
    ec2NodeClasses: await readKind(reader, RESOURCES.ec2NodeClasses, nodeClassSchema, (object) => ({
      name: object.metadata.name,
      amiFamily: object.spec?.amiFamily ?? null,
      amiAliases: (object.spec?.amiSelectorTerms ?? []).flatMap((term) => term.alias ?? []),
    })),
  };
}
