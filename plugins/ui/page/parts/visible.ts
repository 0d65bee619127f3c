/** Spells out invisible characters, and those that reverse text, in foreign texts. Pure. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f]/g;
/** Beyond ASCII: other controls, formatting and direction marks, lone surrogates, and characters without width. */
const UNSEEN = /[\u0080-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** For one line: line breaks and tabs are spelled out, too. */
export function visible(text: string): string {
  return text.replace(CONTROLS, pictured).replace(UNSEEN, escaped);
}

/** For several lines. */
export function visibleLines(text: string): string {
  return text
    .replace(CONTROLS, (unit) => (unit === "\n" || unit === "\t" ? unit : pictured(unit)))
    .replace(UNSEEN, escaped);
}

function pictured(unit: string): string {
  return unit === "\u007f" ? "␡" : String.fromCharCode(0x2400 + unit.charCodeAt(0));
}

function escaped(unit: string): string {
  const code = unit.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
