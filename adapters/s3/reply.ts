/** The facts in an error of the SDK, whose classes differ from version to version and from copy to copy. */

/** HTTP status of the answer; undefined: there was none. */
export function statusOf(error: unknown): number | undefined {
  const metadata = memberOf(error, "$metadata");
  const status = memberOf(metadata, "httpStatusCode");
  return typeof status === "number" ? status : undefined;
}

/** @param name in lower case */
export function headerOf(error: unknown, name: string): string | undefined {
  const value = memberOf(memberOf(memberOf(error, "$response"), "headers"), name);
  return typeof value === "string" ? value : undefined;
}

/** The header that a service refuses, as far as its answer names one. In lower case. */
export function refusedHeader(error: unknown): string | undefined {
  const named = memberOf(error, "Header") ?? memberOf(error, "ArgumentName");
  const said = String(memberOf(error, "message"));
  const header = typeof named === "string" ? named : /\b(?:x-amz-[a-z\d-]+|if-none-match)\b/i.exec(said)?.[0];
  return header?.toLowerCase();
}

/** Names by which an error may be known, those of its causes included, e.g. `NoSuchKey` or `ECONNRESET`. */
export function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let one = error, depth = 0; one !== undefined && one !== null && depth < 5; depth++) {
    const inner = memberOf(one, "errors");
    for (const member of [memberOf(one, "Code"), memberOf(one, "code"), memberOf(one, "name")]) {
      if (typeof member === "string" && member !== "Error" && !codes.includes(member)) codes.push(member);
    }
    one = memberOf(one, "cause") ?? (Array.isArray(inner) ? inner[0] : undefined);
  }
  return codes;
}

/** True where the answer itself has a code, in the words of S3. */
export function saysCode(error: unknown): boolean {
  return statusOf(error) !== undefined && typeof memberOf(error, "Code") === "string";
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
