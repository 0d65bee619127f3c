/** Longer texts are cut where they are told or recorded: a whole answer of a service, say. */
const LONGEST = 10_000;

/** Of a text that is too long for people, the beginning, and how much more there is. */
export function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length - LONGEST} more characters)`;
}
