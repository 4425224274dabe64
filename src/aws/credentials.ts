/** What AWS requests are signed with. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  /** Absent for long-lived keys. */
  expiration?: Date | undefined;
}

/** Credentials that are good now; asks again before they expire. */
export type CredentialsProvider = () => Promise<AwsCredentials>;
