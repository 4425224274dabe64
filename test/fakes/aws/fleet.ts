/** An organization as the fake serves it. Change it while the server runs: every answer reads it anew. */
export interface FakeFleet {
  /** The account whose long-lived key may assume roles in the others. */
  hub: string;
  /** Default `aws`. */
  partition?: string;
  accounts: FakeAccount[];
  /** kube-proxy builds that EKS has published, with the modes that each one's schema lists. */
  builds?: Record<string, readonly string[]>;
  /** Rows of DescribeClusterVersions. */
  versions?: readonly FakeVersion[];
}

export interface FakeAccount {
  id: string;
  name?: string;
  /** Default ACTIVE. */
  state?: string;
  /** The organizational unit it is in; default the root. */
  unit?: string;
  tags?: Record<string, string>;
  /** False: the member role's trust policy does not name the hub. */
  trustsHub?: boolean;
  externalId?: string;
  /** IAM actions that its role lacks. */
  lacks?: readonly string[];
  regions: Record<string, FakeRegion>;
}

export interface FakeRegion {
  /** `policy`: denied by a service control policy; `not-enabled`: listed, but credentials do not work there yet. */
  closed?: "policy" | "not-enabled";
  clusters: FakeCluster[];
}

export interface FakeCluster {
  name: string;
  version: string;
  endpoint?: string;
  /** PEM. */
  ca?: string;
  private?: boolean;
  autoMode?: boolean;
  tags?: Record<string, string>;
  /** Absent: kube-proxy is self-managed. */
  addon?: { addonVersion: string; configurationValues?: string };
  nodegroups?: readonly FakeNodegroup[];
  insights?: readonly FakeInsight[];
  /** Listed, and gone when it is described. */
  deletedAfterListing?: boolean;
}

interface FakeNodegroup {
  nodegroupName: string;
  amiType: string;
  releaseVersion: string;
  version: string;
  desiredSize: number;
}

interface FakeInsight {
  name: string;
  category: string;
  kubernetesVersion: string;
  status: string;
  reason: string;
}

interface FakeVersion {
  clusterVersion: string;
  releaseDate: string;
  endOfStandardSupportDate: string;
  endOfExtendedSupportDate: string;
}

/** Something that goes wrong, for the calls that it matches, as often as `times` says (default: always). */
export interface FakeFault {
  /** `ListClusters`, `AssumeRole`, ... */
  operation: string;
  account?: string;
  region?: string;
  cluster?: string;
  /** What happens: throttled, denied, a server error, no answer at all, or a proxy's web page. */
  kind: "throttle" | "deny" | "error" | "hang" | "web-page";
  times?: number;
}

/** Who asks for what, as the signature and the request say. */
export interface FakeCall {
  service: string;
  operation: string;
  region: string;
  /** The account that the credentials act in. */
  account: string;
  /** Path parameters and query, body fields: what the operation was given. */
  input: Record<string, string>;
}
