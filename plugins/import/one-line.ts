/** Names of unknown origin: those that no tool writes, and addresses without line breaks. */

/** True for blanks, control characters and invisible ones. No tool writes them into the name of a type. */
export function isUnfit(text: string): boolean {
  return /[\s\p{Cc}\p{Cf}\p{Cs}]/u.test(text);
}

/** Returns an address for a name of any characters. Brackets would look like the key of an instance. */
export function oneLine(name: string): string {
  const plain = name.replaceAll("[", "(");
  return isUnfit(plain) ? plain.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, spelled) : plain;
}

function spelled(found: string): string {
  return `\\u{${found.codePointAt(0)?.toString(16)}}`;
}
