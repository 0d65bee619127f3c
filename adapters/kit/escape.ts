/** Characters that a store's names cannot hold, as `=3A` or `=u65E5`: by UTF-16 units, so that no string is lost. */

/** @param unit one UTF-16 unit; of a longer string the first */
export function escapeUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  const digits = code.toString(16).toUpperCase();
  return code < 0x100 ? `=${digits.padStart(2, "0")}` : `=u${digits.padStart(4, "0")}`;
}

export function unescaped(text: string): string {
  return text.replace(/=u([0-9A-F]{4})|=([0-9A-F]{2})/g, (_, wide: string | undefined, narrow: string) =>
    String.fromCharCode(Number.parseInt(wide ?? narrow, 16)),
  );
}
