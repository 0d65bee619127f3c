/** How long the owner of a session may be silent before it counts as dead: what can be set, and what is believed. */
import type { OpenRecord } from "./journal/entry.js";

/** In milliseconds. */
export const DEFAULT_TTL = 20_000;
/** An hour. */
export const LONGEST_TTL = 3_600_000;

export function isTtl(value: unknown): value is number {
  return typeof value === "number" && value > 0 && value <= LONGEST_TTL;
}

/** Anybody may have written it, and it is what others wait for: so it counts as far as a run can have set it. */
export function ttlOf({ ttl }: OpenRecord): number {
  if (isTtl(ttl)) return ttl;
  return typeof ttl === "number" && ttl > LONGEST_TTL ? LONGEST_TTL : DEFAULT_TTL;
}
