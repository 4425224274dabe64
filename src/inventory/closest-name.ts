/** The name that was probably meant, for a "did you mean"; undefined when none is near. */
export function closestName(wanted: string, names: readonly string[]): string | undefined {
  const nearEnough = Math.max(2, Math.floor(wanted.length / 3));
  let closest: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(wanted.toLowerCase(), name.toLowerCase());
    if (distance <= nearEnough && (closest === undefined || distance < closest.distance)) {
      closest = { name, distance };
    }
  }
  return closest?.name;
}

/** Levenshtein: insertions, deletions and replacements from one text to the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of Array.from(from).entries()) {
    const current = [row + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const inserted = (current[column] ?? 0) + 1;
      const deleted = (previous[column + 1] ?? 0) + 1;
      current.push(Math.min(replaced, inserted, deleted));
    }
    previous = current;
  }
  return previous[Array.from(to).length] ?? 0;
}
