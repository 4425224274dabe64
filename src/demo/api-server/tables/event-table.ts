import { textAt } from "../kubernetes-object.ts";
import { age, column, NAME_COLUMN, wide } from "./column.ts";
import type { TableLayout } from "./table.ts";

export const eventTable: TableLayout = {
  columns: [
    column("Last Seen"),
    column("Type"),
    column("Reason"),
    column("Object"),
    wide("Subobject"),
    wide("Source"),
    column("Message"),
    wide("First Seen"),
    wide("Count"),
    { ...NAME_COLUMN, priority: 1 },
  ],
  cells: (event, { now }) => {
    const first = textAt(event, "firstTimestamp") ?? textAt(event, "eventTime");
    const kind = (textAt(event, "involvedObject.kind") ?? "").toLowerCase();
    return [
      age(textAt(event, "lastTimestamp") ?? first, now),
      textAt(event, "type") ?? "",
      textAt(event, "reason") ?? "",
      `${kind}/${textAt(event, "involvedObject.name") ?? ""}`,
      textAt(event, "involvedObject.fieldPath") ?? "",
      textAt(event, "source.component") ?? textAt(event, "reportingComponent") ?? "",
      (textAt(event, "message") ?? "").trim(),
      age(first, now),
      textAt(event, "count") ?? "1",
      event.metadata.name ?? "",
    ];
  },
};
