import { notSeen, type Observed, type Source } from "#src/model/observed.ts";

/** `DescribeCluster`, as far as the audit needs it. */
export interface EksCluster {
  name: string;
  version: string;
  platformVersion: string | null;
  status: string;
  autoMode: boolean;
  hybridNodes: boolean;
  /** `STANDARD`: AWS upgrades the control plane at the end of standard support; `EXTENDED`: a year later. */
  supportType: string | null;
  endpointPublic: boolean | null;
  tags: Record<string, string>;
}

/** `DescribeAddon` of kube-proxy. */
export interface EksAddon {
  /** `v1.35.3-eksbuild.2` */
  addonVersion: string;
  status: string;
  /** JSON or YAML text as the user gave it; null where the defaults apply. */
  configurationValues: string | null;
  issues: string[];
}

/** What one published kube-proxy add-on build accepts (`DescribeAddonConfiguration`). */
export interface EksAddonSchema {
  addonVersion: string;
  /** The Kubernetes minor of the build: `1.36`. */
  kubernetesVersion: string;
  /** `mode.enum`; null where the schema does not list any. */
  modes: string[] | null;
}

/** `DescribeNodegroup`. */
export interface EksNodegroup {
  name: string;
  amiType: string;
  releaseVersion: string | null;
  version: string | null;
  desiredSize: number | null;
  status: string;
}

/** One row of `DescribeClusterVersions`. Dates are RFC 3339. */
export interface EksVersionSupport {
  version: string;
  releaseDate: string | null;
  endOfStandard: string | null;
  endOfExtended: string | null;
}

export interface EksInsight {
  name: string;
  category: string;
  status: string;
  kubernetesVersion: string | null;
  reason: string | null;
}

/** What the EKS API said. All `not-requested` for clusters that are not read through AWS. */
export interface EksEvidence {
  cluster: Observed<EksCluster>;
  /** `absent`: kube-proxy is not an EKS add-on here but self-managed. */
  addon: Observed<EksAddon>;
  addonSchemas: Observed<EksAddonSchema[]>;
  nodegroups: Observed<EksNodegroup[]>;
  versions: Observed<EksVersionSupport[]>;
  insights: Observed<EksInsight[]>;
}

/** EKS evidence of a cluster that was not read through the EKS API. */
export function eksNotRequested(at: string): EksEvidence {
  const unread = (call: string) =>
    notSeen("not-requested", "the EKS API was not asked", { kind: "eks", ref: call, at } satisfies Source);
  return {
    cluster: unread("DescribeCluster"),
    addon: unread("DescribeAddon kube-proxy"),
    addonSchemas: unread("DescribeAddonConfiguration kube-proxy"),
    nodegroups: unread("DescribeNodegroup"),
    versions: unread("DescribeClusterVersions"),
    insights: unread("ListInsights"),
  };
}
