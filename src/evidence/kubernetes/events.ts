import { z } from "zod";
import type { ClusterReader } from "#src/kubernetes/cluster-reader.ts";
import { RESOURCES } from "#src/kubernetes/resources.ts";
import type { Observed } from "#src/model/observed.ts";
import { itemsOf, projecting } from "./projecting.ts";

export interface EventFacts {
  reason: string;
  /** The object it is about, e.g. a node's name. */
  about: string;
  at: string | null;
}

const eventSchema = z.object({
  reason: z.string().default(""),
  involvedObject: z.object({ name: z.string().default("") }).nullish(),
  regarding: z.object({ name: z.string().default("") }).nullish(),
  lastTimestamp: z.string().nullish(),
  eventTime: z.string().nullish(),
});

const AT_MOST = 500;

/**
 * Events with one reason, in all namespaces. kube-proxy's are about Nodes and land in `default`
 * (kubernetes#134539); matched by reason, since the text changed in 1.37.
 */
export async function readEvents(reader: ClusterReader, reason: string): Promise<Observed<EventFacts[]>> {
  const read = await reader.list(
    { resource: RESOURCES.events, fieldSelector: `reason=${reason}`, atMost: AT_MOST },
    projecting((item) => {
      const parsed = eventSchema.safeParse(item);
      if (!parsed.success) return null;
      // A source without field selectors (a dump) answers with every event.
      if (parsed.data.reason !== reason) return undefined;
      const { involvedObject, regarding, lastTimestamp, eventTime } = parsed.data;
      return {
        reason,
        about: involvedObject?.name ?? regarding?.name ?? "",
        at: lastTimestamp ?? eventTime ?? null,
      };
    }),
  );
  return itemsOf(read);
}
