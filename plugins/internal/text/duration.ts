/** Formats milliseconds for people. Pure: the page in the browser uses it, too. */

/** Sizes in seconds, the largest first. */
export const UNITS: readonly (readonly [size: number, name: string])[] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

/**
 * Formats a duration, rounded down from a minute on.
 *
 * @param milliseconds e.g. 1200: "1.2 s"; from a minute on the two largest units: "1 h 5 min"
 */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return "0 ms";
  // A value that would round up to the next unit is shown in that unit.
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.max(60, Math.floor(milliseconds / 1_000));
  const at = UNITS.findIndex(([unit]) => seconds >= unit);
  const [size, name] = UNITS[at] ?? [1, "s"];
  const [lower, lowerName] = UNITS[at + 1] ?? [1, "s"];
  const rest = Math.floor((seconds % size) / lower);
  return `${Math.floor(seconds / size)} ${name}${rest > 0 ? ` ${rest} ${lowerName}` : ""}`;
}
