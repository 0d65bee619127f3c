/** True for an error of the operating system with one of the codes, e.g. `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
}

/** True for the errors that prove that nothing is at a path; every other one proves nothing. */
export function isAbsent(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR");
}
