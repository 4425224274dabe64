import type { EKSClient } from "@aws-sdk/client-eks";
import type { Observed } from "#src/model/observed.ts";
import type { EksPublished } from "./eks-published.ts";

/** How to ask the EKS API about one cluster. */
export interface EksAccess {
  name: string;
  region: string;
  /** Acts in the cluster's account and Region. */
  client(): EKSClient;
  /** DescribeCluster's answer, which finding the cluster took. */
  described: Observed<unknown>;
  published: EksPublished;
  /** Whom the cluster's access entry must name for its Kubernetes API to be read. */
  principal: string;
  now(): Date;
}
