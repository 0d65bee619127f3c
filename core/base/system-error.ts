/** Errors of the operating system, and of Node, by their codes. */

/** Empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** True for an error with one of the codes, e.g. `EEXIST`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error));
}

/** True for the two errors that prove that nothing is at a path; every other one proves nothing. */
export function isAbsence(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR");
}
