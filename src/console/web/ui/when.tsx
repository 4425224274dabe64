import { ageOf, minuteOf } from "#src/report/when.ts";

/** `3 hours ago`, with the minute for those who point at it. */
export function Age({ at }: { at: string }) {
  return (
    <time dateTime={at} title={minuteOf(at)}>
      {ageOf(at, new Date().toISOString())}
    </time>
  );
}
