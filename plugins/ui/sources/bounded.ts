/** Values of any size as a page can show them. Pure. */

/** Characters of a text. */
const LONGEST = 5000;
/** Members of an object or a list. */
const MOST = 500;
const DEEPEST = 40;
/** Characters of all texts and names together, about. */
const LARGEST = 200_000;

/** The value as JSON; what is too long, too wide, too deep or too much is told by a text that begins with `…`. */
export function bounded(value: unknown, largest = LARGEST): unknown {
  let left = largest;
  const textOf = (text: string): string => {
    const length = Math.min(LONGEST, Math.max(left, 0));
    left -= Math.min(text.length, length);
    return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more characters)`;
  };
  const show = (one: unknown, depth: number): unknown => {
    if (typeof one === "string") return textOf(one);
    if (typeof one !== "object" || one === null) return one;
    if (depth >= DEEPEST || left <= 0) return "…";
    const entries = Object.entries(one);
    const shown = entries.slice(0, MOST).map(([name, member]) => {
      left -= 8;
      return [Array.isArray(one) ? name : textOf(name), show(member, depth + 1)] as const;
    });
    const more = entries.length - shown.length;
    if (Array.isArray(one)) return [...shown.map(([, member]) => member), ...(more > 0 ? [`… ${more} more`] : [])];
    return Object.fromEntries(more > 0 ? [...shown, ["…", `${more} more`]] : shown);
  };
  return show(value, 0);
}
