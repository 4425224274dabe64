import { addMinor } from "#src/kubernetes/version.ts";
import { newestReleaseAt, releaseOf } from "#src/timeline/calendar.ts";
import { UPSTREAM_STAGES } from "#src/timeline/stages.ts";
import type { AnswerText, Entry } from "../entry.ts";
import { dated, endOfLife } from "../versions.ts";

const MINORS = ["1.36", "1.37", "1.38", "1.39", "1.40", "1.41", "1.42", "1.43", "1.44", "1.45", "1.46"];

/** What comes with a Kubernetes version, and when it comes: all of it out of the timeline. */
export const RELEASE_ENTRIES: readonly Entry[] = [
  {
    id: "changes-in-version",
    question: "What changes in a given Kubernetes version?",
    askedAs: [
      ...MINORS.flatMap((minor) => [
        minor,
        `what changes in ${minor}`,
        `what is new in ${minor}`,
        `what breaks in ${minor}`,
      ]),
      ...MINORS.map((minor) => `what do we have to do before upgrading to ${minor}`),
      "what changes in the next kubernetes release",
    ],
    answer: ({ now, versions }) => changesIn(versions[0] ?? addMinor(newestReleaseAt(now), 1), now),
    facts: [
      "ipvs-gate-1.37",
      "ipvs-off-1.40",
      "ipvs-removed-1.43",
      "default-nftables-1.40",
      "containerd1-1.38",
    ],
    related: ["release-date", "ipvs-when", "scope"],
  },
  {
    id: "release-date",
    question: "When is a given Kubernetes version released?",
    askedAs: [
      ...MINORS.flatMap((minor) => [
        `when is ${minor} released`,
        `${minor} release date`,
        `when does ${minor} come out`,
      ]),
      "kubernetes release calendar",
      "when is the next kubernetes release",
    ],
    answer: ({ now, versions }) => releasedOn(versions[0] ?? addMinor(newestReleaseAt(now), 1), now),
    facts: ["release-calendar"],
    related: ["changes-in-version", "ipvs-when"],
  },
];

function changesIn(minor: string, now: Date): AnswerText {
  const [first, ...others] = UPSTREAM_STAGES.filter(({ version }) => version === minor);
  const scope =
    "This lists kube-proxy, node kernel and container runtime only; other changes are in the release notes.";
  if (first === undefined) {
    return {
      certainty: releaseOf(minor).certainty,
      text: `Nothing that proxy-audit follows changes in ${dated(minor, now)}. ${scope}`,
    };
  }
  const stages = [first, ...others];
  const planned = stages.find(({ certainty }) => certainty !== "released");
  const said = stages.map(({ component, what, certainty }) => {
    const subject = what.includes(component) ? "" : `${component}: `;
    return `${subject}${what}${certainty === "released" ? "" : ` (${certainty})`}`;
  });
  return {
    certainty: (planned ?? first).certainty,
    text: `In ${dated(minor, now)}: ${said.join(". ")}. ${scope}`,
  };
}

function releasedOn(minor: string, now: Date): AnswerText {
  const release = releaseOf(minor);
  return {
    certainty: release.certainty,
    text:
      `Kubernetes ${dated(minor, now)}. Where the date comes from: ${release.method}. ` +
      `It is patched until ${endOfLife(minor)}. Providers offer it later; proxy-audit timeline --provider eks shows EKS.`,
  };
}
