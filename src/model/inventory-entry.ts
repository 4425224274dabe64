import { z } from "zod";
import { UNSEEN } from "./observed.ts";

/**
 * How one part of the inventory ended. `skipped`: not for us to read, as configured or as its owner decided (a
 * suspended account, a Region that a policy denies). `failed`: should have been read and was not, so clusters may be
 * missing.
 */
export const inventoryEntrySchema = z.object({
  kind: z.enum(["organization", "account", "region", "cluster"]),
  /** `111122223333`, `111122223333/eu-west-1`, `eks:111122223333/eu-west-1/payments`; an organizational unit's id. */
  id: z.string(),
  status: z.enum(["ok", "skipped", "failed"]),
  why: z.enum(UNSEEN).nullable(),
  reason: z.string().nullable(),
});
export type InventoryEntry = z.infer<typeof inventoryEntrySchema>;
