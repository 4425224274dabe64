/** A Kubernetes minor release whose day was published; `endOfLife` where kubernetes.io lists it. */
export interface PublishedRelease {
  minor: string;
  date: string;
  endOfLife?: string;
}

/** kubernetes/sig-release READMEs and kubernetes.io/releases, read 2026-11-30. */
export const RELEASED: readonly PublishedRelease[] = [
  { minor: "1.28", date: "2023-08-15" },
  { minor: "1.29", date: "2023-12-13" },
  { minor: "1.30", date: "2024-04-17" },
  { minor: "1.31", date: "2024-08-13" },
  { minor: "1.32", date: "2024-12-11" },
  { minor: "1.33", date: "2025-04-23", endOfLife: "2026-06-28" },
  { minor: "1.34", date: "2025-08-27", endOfLife: "2026-10-27" },
  { minor: "1.35", date: "2025-12-17", endOfLife: "2027-02-28" },
  { minor: "1.36", date: "2026-04-22", endOfLife: "2027-06-28" },
  { minor: "1.37", date: "2026-08-26", endOfLife: "2027-10-28" },
];

/** kubernetes/sig-release, releases/release-1.38/README.md, read 2026-11-30: "Wednesday 16 December 2026". */
export const SCHEDULED: readonly PublishedRelease[] = [{ minor: "1.38", date: "2026-12-16" }];
