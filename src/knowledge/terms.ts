/** A question is read up to here: what somebody pastes may be a whole log. */
export const LONGEST_QUESTION = 500;
const LONGEST_WORD = 60;

/** Endings that a word may or may not have, after a plural's s; the longest first. */
const ENDINGS = ["ation", "ating", "ment", "ated", "ing", "ate", "al", "ed", "er", "e"];
const SHORTEST_STEM = 3;

/** Words that tell no question from another. */
const STOP_WORDS = new Set(
  (
    "a about actually after again all already also always am an and another any anybody anyone anything are as at be because been " +
    "before being both but by can cannot cant could did didnt do does doesnt doing dont each either else even ever exactly " +
    "for from get gets getting give gives go goes going good got had has have having he hello help here hey hi hit hits how i if im " +
    "in instead into is isnt it its ive just k8s keep know kubernetes let long longer lot lots make makes many may maybe me " +
    "might more most much must my need needs never no not now of ok on once one only or other others our out " +
    "over people please question quick quite rather really right same say says see she should since so some somebody something still " +
    "stuff such sure tell than thank thanks that the their them then there these they thing things this those thus to too " +
    "up us use used uses using usually very via want wants was way we well were what whats where whether which while who " +
    "will with wont would yes yet you your yours"
  ).split(" "),
);

/** Words that many questions about clusters share: they never make a question one of ours. */
const COMMON_WORDS = new Set(
  (
    "cluster node service kubelet pod version upgrade change work run set check config configuration problem issue error " +
    "difference between update install create deployment container network move support happen new old fail find show list " +
    "remove system use best way instruction month year day time release start stop restart print when why scale team next wrong"
  )
    .split(" ")
    .map(stemOf),
);

/** Written in several ways, meant as one; in the order they apply. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  // The head of a klog line: severity and day, time, process, file and line.
  [/\b[eiw]\d{4}\b|\b\d\d:\d\d:\d\d\S*|\b\w+\.go:\d+/g, " "],
  [/\bkube[\s_-]*(proxy|router|vip|ipvs0)\b/g, "kube$1"],
  [/\bip[\s_-]?vs\b|\bipsv\b|\bivps\b|\bpivs\b/g, "ipvs"],
  [/\bip[\s_-]tables\b|\bipt\b/g, "iptables"],
  [/\b(?:nf|nft)[\s_-]?tables?\b|\bnft\b/g, "nftables"],
  [/\bmetal[\s_-]lb\b/g, "metallb"],
  [/\bnode[\s_-]?ports?\b/g, "nodeport"],
  [/\bnode[\s_-]?local[\s_-]?dns(?:[\s_-]?cache)?\b/g, "nodelocaldns"],
  [/\bconfig[\s_-]?maps?\b|\bcm\b/g, "configmap"],
  [
    /\b(?:roll(?:ing|ed)?|go(?:ing)?|switch(?:ing)?|chang(?:e|ing))[\s_-]back\b|\brevert(?:ing)?\b|\bundo\b/g,
    "rollback",
  ],
  [/\bkern[ae]l+s?\b/g, "kernel"],
  [/\bcgroups?[\s_-]?v1\b/g, "cgroupv1"],
  [/\bcgroups?[\s_-]?v2\b/g, "cgroupv2"],
  [/\be[\s_-]?bpf\b/g, "ebpf"],
  [/\bpart of\b|\bkind of\b|\bsort of\b/g, " "],
  [/\b(?:feature[\s_-])?gates?\b/g, "gate"],
  [/\bleast[\s_-]conn(?:ections?)?\b/g, "lc"],
  [
    /\bgo(?:es)? away\b|\bgone\b|\bdrop(?:s|ped|ping)?\b|\bdelet(?:e|es|ed|ing)\b|\bkill(?:s|ed)?\b/g,
    "remove",
  ],
  [/\beol\b|\bend[\s_-]of[\s_-]life\b/g, "deadline"],
  [/\bred[\s_-]?hat\b/g, "rhel"],
  [/\brhel[\s_-]?(\d+)/g, "rhel $1"],
  [/\baws\b|\bamazon\b/g, "eks aws"],
  [/\bazure\b/g, "aks azure"],
  [/\bnetworking\b/g, "network"],
];

/**
 * The words of a question that carry its meaning, each once, as stems: `["ipv", "remov", "1.37"]`. Version numbers stay
 * whole (`v1.37.2` is `1.37`); containerd 1.5 to 1.7 are all `1.x`.
 */
export function termsOf(text: string): string[] {
  const plain = SPELLINGS.reduce(
    (spelled, [pattern, as]) => spelled.replace(pattern, as),
    text
      .slice(0, LONGEST_QUESTION)
      .normalize("NFKC")
      .toLowerCase()
      .replace(/['’]s?\b/g, ""),
  );
  const words = plain.match(/v?\d+\.(?:\d+|x)(?:\.\d+)*|[\p{L}\p{N}]+/gu) ?? [];
  const terms = words
    .map((word) => numberOf(word) ?? word)
    .filter((word) => !STOP_WORDS.has(word) && word.length <= LONGEST_WORD)
    .map((word) => (isNumber(word) ? word : stemOf(word)));
  return [...new Set(terms)];
}

export function isCommonWord(term: string): boolean {
  return COMMON_WORDS.has(term);
}

/** Kubernetes minor versions among the terms. */
export function versionsIn(terms: readonly string[]): string[] {
  return [...new Set(terms.filter((term) => /^1\.[1-9]\d$/.test(term)))];
}

export function isNumber(term: string): boolean {
  return /^\d/.test(term);
}

function numberOf(word: string): string | undefined {
  const match = /^v?(\d+)\.(\d+|x)/.exec(word);
  if (match === null) return undefined;
  const number = `${match[1]}.${match[2]}`;
  return ["1.5", "1.6", "1.7"].includes(number) ? "1.x" : number;
}

function stemOf(word: string): string {
  const singular = word.length > SHORTEST_STEM && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
  const ending = ENDINGS.find(
    (end) => singular.endsWith(end) && singular.length - end.length >= SHORTEST_STEM,
  );
  return ending === undefined ? singular : singular.slice(0, -ending.length);
}
