/** Texts of others, as they may be shown. */
import { stripVTControlCharacters } from "node:util";

/** Without what would steer the terminal; line breaks and tabs stay. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, "\n")).replace(/[^\P{Cc}\n\t]/gu, "");
}
