/** Members of an event, of which nothing is certain: it may be of a later version, or cut off. */

export type Members = Readonly<Record<string, unknown>>;

/** Characters of a text that are kept. */
const LONGEST = 16_000;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textIn(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === "string" ? cutText(value) : undefined;
}

export function numberIn(members: Members, name: string): number | undefined {
  const value = members[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function textsIn(members: Members, name: string): readonly string[] {
  const value = members[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").map(cutText) : [];
}

export function membersIn(members: Members, name: string): Members | undefined {
  const value = members[name];
  return isMembers(value) ? value : undefined;
}

export function listIn(members: Members, name: string): readonly Members[] {
  const value = members[name];
  return Array.isArray(value) ? value.filter(isMembers) : [];
}

/** Milliseconds since 1970. */
export function timeOf(text: unknown): number | undefined {
  const time = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function cutText(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length - LONGEST} characters more)` : text;
}
