/** One of AWS's worlds: accounts, IAM and hostnames do not cross its border. */
export interface Partition {
  /** As in an ARN: `aws`, `aws-cn`. */
  name: string;
  /** `amazonaws.com`: the end of its services' hostnames. */
  dnsSuffix: string;
  /** `api.aws`: the end of the dual-stack ones; null where there are none. */
  dualStackSuffix: string | null;
  /** Where its Organizations and account services are served. */
  homeRegion: string;
  regions: RegExp;
}

/** Names and suffixes as botocore 1.43 has them (`endpoints.json`); home Regions as the SDK's endpoint rules. */
export const PARTITIONS: readonly Partition[] = [
  partition("aws-cn", "amazonaws.com.cn", "api.amazonwebservices.com.cn", "cn-northwest-1", /^cn-\w+-\d+$/),
  partition("aws-us-gov", "amazonaws.com", "api.aws", "us-gov-west-1", /^us-gov-\w+-\d+$/),
  partition("aws-iso", "c2s.ic.gov", null, "us-iso-east-1", /^us-iso-\w+-\d+$/),
  partition("aws-iso-b", "sc2s.sgov.gov", null, "us-isob-east-1", /^us-isob-\w+-\d+$/),
  partition("aws-iso-e", "cloud.adc-e.uk", null, "eu-isoe-west-1", /^eu-isoe-\w+-\d+$/),
  partition("aws-iso-f", "csp.hci.ic.gov", null, "us-isof-south-1", /^us-isof-\w+-\d+$/),
  partition("aws-eusc", "amazonaws.eu", "api.amazonwebservices.eu", "eusc-de-east-1", /^eusc-\w+-\w+-\d+$/),
  partition("aws", "amazonaws.com", "api.aws", "us-east-1", /^[a-z]{2}-[a-z]+-\d+$/),
];

/** The partition that a Region belongs to; null for text that is not a Region's name. */
export function partitionOfRegion(region: string): Partition | null {
  return PARTITIONS.find(({ regions }) => regions.test(region)) ?? null;
}

/** The regional STS host: the global one would sign for us-east-1 and hand out tokens that opt-in Regions refuse. */
export function stsHostOf(region: string): string | null {
  const found = partitionOfRegion(region);
  return found === null ? null : `sts.${region}.${found.dnsSuffix}`;
}

function partition(
  name: string,
  dnsSuffix: string,
  dualStackSuffix: string | null,
  homeRegion: string,
  regions: RegExp,
): Partition {
  return { name, dnsSuffix, dualStackSuffix, homeRegion, regions };
}
