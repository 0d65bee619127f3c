/** What to do about an error whose message does not say it by itself; docs/guide/errors.md says more. */
const HINTS: Readonly<Record<string, string>> = {
  ABORTED: "Run again: what was done is kept.",
  FENCED: "Look at what the other run did, then run again.",
  PLAN_MISMATCH: "Look at what changed since, and make a new plan.",
  STATE_CORRUPT: "engine state verify names what is damaged, and what to do.",
  STATE_MOVED: "Run again.",
  TIMEOUT: "Make it quicker, or give it more time; the next up goes on from there.",
};

export function hintFor(code: string): string | undefined {
  return HINTS[code];
}
