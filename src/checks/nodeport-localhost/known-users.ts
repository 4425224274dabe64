/** A Service that its software reaches through NodePorts on localhost, where the pods' templates do not show it. */
export interface KnownLocalhostUser {
  namespace: string;
  service: string;
  what: string;
  source: string;
  checkedAt: string;
}

export const KNOWN_LOCALHOST_USERS: readonly KnownLocalhostUser[] = [
  {
    namespace: "zarf",
    service: "zarf-docker-registry",
    what: "Zarf's registry: its admission webhook rewrites the images of pods to 127.0.0.1:<nodePort>",
    source: "https://github.com/zarf-dev/zarf/issues/3684",
    checkedAt: "2026-11-30",
  },
];
