/** The sample of many cases that is tried: all in long runs, otherwise some, and always the same ones. */
export const isLong = process.env.LONG !== undefined;

/** @param seed any text; the same one gives the same sample */
export function sampled<T>(items: readonly T[], count: number, seed: string): readonly T[] {
  if (isLong || items.length <= count) return items;
  const next = numbers(seed);
  const rest = items.map((item, index) => ({ item, index, weight: next() }));
  const chosen = rest.sort((a, b) => a.weight - b.weight).slice(0, count);
  return chosen.sort((a, b) => a.index - b.index).map(({ item }) => item);
}

/** Numbers in [0, 1). */
export function numbers(seed: string): () => number {
  let at = 0;
  for (const char of seed) at = (Math.imul(at, 31) + char.charCodeAt(0)) | 0;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    const mixed = Math.imul(at ^ (at >>> 15), at | 1);
    return ((mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
