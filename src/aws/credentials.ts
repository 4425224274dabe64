/** What AWS requests are signed with. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  /** Absent for long-lived keys. */
  expiration?: Date;
}

/** Credentials that are good now; asks again before they expire. */
export type CredentialsProvider = () => Promise<AwsCredentials>;
