import { AccountClient } from "@aws-sdk/client-account";
import { EC2Client } from "@aws-sdk/client-ec2";
import { EKSClient } from "@aws-sdk/client-eks";
import { STSClient } from "@aws-sdk/client-sts";
import type { CredentialsProvider } from "./credentials.ts";

/** How clients of AWS behave: an endpoint other than AWS's own comes from AWS_ENDPOINT_URL, which the SDK reads. */
export interface ClientSettings {
  /** Tries of one call, the first included; default 5. */
  maxAttempts?: number;
  /** For connecting, and for a whole answer. */
  connectTimeoutMs?: number;
  requestTimeoutMs?: number;
  /** HTTPS_PROXY, NO_PROXY and the like, which the SDK does not read by itself. */
  proxyEnv?: Readonly<Record<string, string | undefined>>;
}

/**
 * The settings every SDK client gets. `adaptive` slows down by itself when a Region throttles: EKS publishes no
 * request rates. Without `throwOnRequestTimeout` the SDK only warns and waits on.
 */
export function clientConfiguration(
  region: string,
  credentials: CredentialsProvider,
  settings: ClientSettings = {},
) {
  const agent = {
    keepAlive: true,
    maxSockets: 8,
    ...(settings.proxyEnv === undefined ? {} : { proxyEnv: settings.proxyEnv }),
  };
  return {
    region,
    credentials,
    maxAttempts: settings.maxAttempts ?? 5,
    retryMode: "adaptive",
    requestHandler: {
      connectionTimeout: settings.connectTimeoutMs ?? 3_000,
      requestTimeout: settings.requestTimeoutMs ?? 10_000,
      throwOnRequestTimeout: true,
      socketAcquisitionWarningTimeout: 60_000,
      httpAgent: agent,
      httpsAgent: agent,
    },
  } as const;
}

/** Clients that act as one identity in one account; one per service and Region, so that retries know of each other. */
export interface AccountClients {
  eks(region: string): EKSClient;
  ec2(region: string): EC2Client;
  account(region: string): AccountClient;
  sts(region: string): STSClient;
  credentials: CredentialsProvider;
  /** Ends the EKS connections of a Region that is done with: an organization has thousands of pairs. */
  release(region: string): void;
  /** Ends all connections. */
  close(): void;
}

export function accountClients(
  credentials: CredentialsProvider,
  settings: ClientSettings = {},
): AccountClients {
  const configured = (region: string) => clientConfiguration(region, credentials, settings);
  const eks = perRegion((region) => new EKSClient(configured(region)));
  const ec2 = perRegion((region) => new EC2Client(configured(region)));
  const account = perRegion((region) => new AccountClient(configured(region)));
  const sts = perRegion((region) => new STSClient(configured(region)));
  return {
    eks: eks.of,
    ec2: ec2.of,
    account: account.of,
    sts: sts.of,
    credentials,
    release: eks.release,
    close: () => {
      for (const clients of [eks, ec2, account, sts]) clients.close();
    },
  };
}

interface PerRegion<C> {
  of(region: string): C;
  release(region: string): void;
  close(): void;
}

function perRegion<C extends { destroy(): void }>(make: (region: string) => C): PerRegion<C> {
  const made = new Map<string, C>();

  function release(region: string): void {
    made.get(region)?.destroy();
    made.delete(region);
  }

  return {
    of: (region) => {
      const client = made.get(region) ?? make(region);
      made.set(region, client);
      return client;
    },
    release,
    close: () => {
      for (const region of [...made.keys()]) release(region);
    },
  };
}
