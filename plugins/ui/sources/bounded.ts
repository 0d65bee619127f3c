/** Values of any size as a page can show them. Pure. */
import type { ValueLimits } from "../../admin/index.js";

/** Characters of a text. */
const LONGEST = 5000;

/** How much of a value is shown at once; of one that was cut already, what says so is one member more. */
export const LIMITS: ValueLimits = { members: 500, size: 200_000, depth: 40 };

/** The value as JSON; what is too long, too wide, too deep or too much is told by a text that begins with `…`. */
export function bounded(value: unknown, largest = LIMITS.size): unknown {
  let left = largest;
  const textOf = (text: string): string => {
    const length = Math.min(LONGEST, Math.max(left, 0));
    left -= Math.min(text.length, length);
    return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more characters)`;
  };
  const show = (one: unknown, depth: number): unknown => {
    if (typeof one === "string") return textOf(one);
    if (typeof one !== "object" || one === null) return one;
    if (depth >= LIMITS.depth || left <= 0) return "…";
    const entries = Object.entries(one);
    const shown = entries.slice(0, LIMITS.members + 1).map(([name, member]) => {
      left -= 8;
      return [Array.isArray(one) ? name : textOf(name), show(member, depth + 1)] as const;
    });
    const more = entries.length - shown.length;
    if (Array.isArray(one)) return [...shown.map(([, member]) => member), ...(more > 0 ? [`… ${more} more`] : [])];
    return Object.fromEntries(more > 0 ? [...shown, ["…", `${more} more`]] : shown);
  };
  return show(value, 0);
}
