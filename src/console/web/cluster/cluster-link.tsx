import type { ReactNode } from "react";
import { Link } from "wouter";

const PREFIX = "/clusters/";

export function ClusterLink({ id, children }: { id: string; children: ReactNode }) {
  return <Link href={`${PREFIX}${encodeURIComponent(id)}`}>{children}</Link>;
}

/**
 * The cluster that an address is about. From the address itself: the router's parameters are decoded already, in
 * part, and an identifier may hold any character.
 */
export function clusterIdAt(pathname: string): string {
  const part = pathname.slice(PREFIX.length);
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
