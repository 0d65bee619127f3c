/** Ranges of versions: those of npm, and of Terraform: `~> 1.2`, `!= 1.3.0`, parts joined by commas. Pure. */
import semver from "semver";
import { EngineError } from "../../../core/base/index.js";

export type Range = (version: string) => boolean;

/** @throws EngineError `INVALID_ARGUMENT` */
export function readRange(text: string): Range {
  const parts = text.split(",").map((part) => part.trim());
  const tests = parts.map((part) => testOf(part));
  if (tests.some((test) => test === undefined)) {
    throw new EngineError(
      "INVALID_ARGUMENT",
      `"${text}" is not a range of versions. Write e.g. 1.2.3, ^1.2, ">=1.2 <2" or "~> 1.2".`,
    );
  }
  return (version) => tests.every((test) => test?.(version));
}

function testOf(part: string): Range | undefined {
  const [, excluded] = /^!=\s*(\S+)$/.exec(part) ?? [];
  if (excluded !== undefined) {
    const other = semver.valid(semver.coerce(excluded));
    return other === null ? undefined : (version) => semver.neq(version, other);
  }
  if (part === "") return undefined;
  const valid = semver.validRange(part.replaceAll(/~>\s*v?(\d+)(?:\.(\d+))?(\.\d+\S*)?/g, rising));
  return valid === null ? undefined : (version) => semver.satisfies(version, valid);
}

/** Terraform's `~>` lets the last given number rise. With three numbers, it is npm's `~`. */
function rising(_: string, major: string, minor = "0", rest?: string): string {
  return rest === undefined ? `>=${major}.${minor}.0 <${Number(major) + 1}.0.0` : `~${major}.${minor}${rest}`;
}

/** Sorts by version, newest first, and leaves out invalid versions. */
export function newestFirst<T extends { readonly version: string }>(all: readonly T[]): readonly T[] {
  return all.filter(({ version }) => isVersion(version)).sort((a, b) => semver.rcompare(a.version, b.version));
}

/** Returns the range of updates if none was given. */
export function rangeFrom(version: string): string {
  return semver.prerelease(version) ? version : `^${version}`;
}

const VERSION = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** True for e.g. `1.2.3` and `1.2.3-beta.1`. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}
