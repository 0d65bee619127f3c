/** Statistics of several runs. */

/** The middle of an odd count, or the mean of the two in the middle of an even one. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** The median of each numeric member; a member that only some have is taken from those. */
export function medians<T extends object>(all: readonly T[]): { readonly [K in keyof T]: T[K] } {
  const names = new Set(all.flatMap((one) => Object.keys(one) as (keyof T)[]));
  const entries = [...names].map((name) => {
    const values = all.map((one) => one[name]).filter((value) => typeof value === "number");
    return [name, median(values)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => !Number.isNaN(value))) as { readonly [K in keyof T]: T[K] };
}
