import { afterEach, beforeEach, describe } from "vitest";
import type { FindingStore } from "#src/store/store.ts";
import { describeAudits } from "./audits.ts";
import { describeDigests } from "./digests.ts";
import { describeFindingChanges } from "./finding-changes.ts";
import { describeInteractions } from "./interactions.ts";
import { describeRuns } from "./runs-and-rollups.ts";
import { describeWaivers } from "./waivers-and-approvals.ts";

/** What every `FindingStore` keeps to. `open` gives an empty store each time. */
export function describeStore(name: string, open: () => Promise<FindingStore>): void {
  describe(`${name} keeps the store contract`, () => {
    let store: FindingStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    describeAudits(() => store);
    describeFindingChanges(() => store);
    describeWaivers(() => store);
    describeDigests(() => store);
    describeInteractions(() => store);
    describeRuns(() => store);
  });
}
