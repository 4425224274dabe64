/** One EKS cluster by its address in AWS. */
export interface ClusterRef {
  account: string;
  region: string;
  name: string;
}

/** `eks:111122223333/eu-west-1/payments` */
export function clusterIdOf({ account, region, name }: ClusterRef): string {
  return `eks:${account}/${region}/${name}`;
}

/** The cluster that an id of that form names; null for any other text. */
export function clusterRefOf(id: string): ClusterRef | null {
  const match = /^eks:(\d{12})\/([a-z0-9-]+)\/([A-Za-z0-9][\w-]{0,99})$/.exec(id);
  const [, account, region, name] = match ?? [];
  return account === undefined || region === undefined || name === undefined
    ? null
    : { account, region, name };
}
