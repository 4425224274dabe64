/** What the client asked an answer to be, by its Accept header. */
export type AnswerForm = "object" | "metadata" | "table";

export const ACCEPTED_TYPES = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
] as const;

/** The first form in `accept` that this server makes (JSON only), or undefined where there is none. */
export function answerFormOf(accept: string | undefined): AnswerForm | undefined {
  if (accept === undefined || accept.trim() === "") return "object";
  for (const clause of accept.split(",")) {
    const [type = "", ...parameters] = clause.split(";").map((part) => part.trim());
    if (!["application/json", "application/*", "*/*"].includes(type)) continue;
    const as = parameters.find((parameter) => parameter.startsWith("as="))?.slice("as=".length);
    if (as === undefined) return "object";
    const isMetaV1 = parameters.includes("g=meta.k8s.io") && parameters.includes("v=v1");
    if (isMetaV1 && as === "Table") return "table";
    if (isMetaV1 && (as === "PartialObjectMetadataList" || as === "PartialObjectMetadata")) return "metadata";
  }
  return undefined;
}
