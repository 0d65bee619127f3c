/** What observers get of an event: without what must not be seen, and as nobody can change it. */
import type { Redact } from "../base/index.js";

/** Names, ids, codes and numbers are no texts: who looks for them must find them. */
const TEXTS = new Set(["message", "reason"]);
const LISTS = new Set(["causes", "frames", "errors"]);
const NAMES = [...TEXTS, ...LISTS];

/** The event with its texts as others may see them. */
export function redacted<E extends object>(event: E, redact: Redact): E {
  // Asked of every event: most have none.
  if (!NAMES.some((name) => name in event)) return event;
  const safe = Object.entries(event).map(([name, value]) => {
    if (TEXTS.has(name)) return [name, redact(String(value))];
    return [name, LISTS.has(name) && Array.isArray(value) ? safeList(value, redact) : value];
  });
  return { ...event, ...Object.fromEntries(safe) };
}

/** Of texts, or of failures, which have texts. */
function safeList(list: readonly unknown[], redact: Redact): readonly unknown[] {
  return list.map((one) => (typeof one === "object" && one !== null ? redacted(one, redact) : redact(String(one))));
}

/** No observer can change it for the others. */
export function frozen(payload: object): object {
  for (const name in payload) {
    const member: unknown = payload[name as keyof typeof payload];
    if (typeof member === "object" && member !== null) frozen(member);
  }
  return Object.freeze(payload);
}
