/** Values that a description says are the only ones. Pure. */

/** After these words come values, and no examples. */
const BEGINS =
  /\b(?:(?:valid|allowed|accepted|supported|possible|permitted) (?:values|options|choices)(?: for [\w` ]+? (?:are|is)| are| is)?(?: only)?|(?:must|should|can|has to|may) be either|one of(?: the following(?: values)?)?)\s*:?\s*(?=[`"'])/gi;
/** What may stand before "one of", for it to be about the value itself. */
const ABOUT_ITSELF =
  /(?:^\W*|[:;]\s*|\b(?:must|should|can|may|has to|have to|needs to) be (?:set to )?(?:either )?|\bvalues? (?:is|are) )$/i;
/** Of a sentence that is true in some cases, or says what is no value. */
const LIMITED =
  /\b(?:if|when|whenever|where|unless|until|not|cannot|never|except|only|conflicts|with|without|depends|depending)\b|n't\b/i;
const VALUE = /^(?:`([^`\s]+)`|"([^"\s]+)"|'([^'\s]+)')/;
const BETWEEN = /^(?:\s*,\s*(?:and|or)?\s*|\s+(?:and|or)\s+|\s*\|\s*)/i;
/** Where the list may go on, or may have other members, it is none. */
const OPEN =
  /\b(?:e\.g\.|etc|such as|for example|for instance|among others|or any|custom|prefix|other values?|regex|pattern|include)\b|\.\.\.|…/i;
const PLAIN = /^[\w.:/+@-]+$/;

/**
 * The values, where the text lists at least two in quotes right behind words such as "valid values are", to the end of the sentence, and
 * has no other list; else undefined: a union that is too narrow would refuse what is right.
 */
export function literalsIn(description: string): readonly string[] | undefined {
  const [begin, second] = description.matchAll(BEGINS);
  if (!begin || second) return undefined;
  const before =
    description
      .slice(0, begin.index)
      .split(/[.!?]\s|\n/)
      .at(-1) ?? "";
  if (LIMITED.test(before) || OPEN.test(before)) return undefined;
  if (/^one of/i.test(begin[0]) && !ABOUT_ITSELF.test(before)) return undefined;
  const list = listAt(description.slice(begin.index + begin[0].length));
  if (!list || list.values.length < 2) return undefined;
  const isWhole = /^\s*(?:$|\.(?:\s|$)|[;\n)]|\(default)/i.test(list.rest);
  return isWhole && !OPEN.test(list.rest.slice(0, 80)) ? [...new Set(list.values)] : undefined;
}

function listAt(text: string): { readonly values: readonly string[]; readonly rest: string } | undefined {
  const values: string[] = [];
  for (let rest = text; ; ) {
    const match = VALUE.exec(rest);
    const value = match?.[1] ?? match?.[2] ?? match?.[3];
    if (match === null || value === undefined || !PLAIN.test(value)) return undefined;
    values.push(value);
    rest = rest.slice(match[0].length);
    const between = BETWEEN.exec(rest);
    if (!between) return { values, rest };
    rest = rest.slice(between[0].length);
  }
}
