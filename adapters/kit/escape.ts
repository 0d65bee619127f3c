/**
 * Escapes characters for the names of a store as `=3A` or `=u65E5`, by UTF-16 units, so that every string can be
 * restored.
 */

/** @param unit one UTF-16 unit; only the first of a longer string counts */
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
