/** Formats a count with its noun, e.g. (1, "resource"): `1 resource`. @param plural ending of the plural */
export function counted(count: number, noun: string, plural = "s"): string {
  return `${count} ${noun}${count === 1 ? "" : plural}`;
}
