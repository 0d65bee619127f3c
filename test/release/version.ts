/** Version numbers: which one comes next. */

/** The version that `wanted` (`patch`, `minor`, `major` or a number) makes of the present one; undefined for neither. */
export function nextVersion(present: string, wanted: string): string | undefined {
  const [major = 0, minor = 0, patch = 0] = numbersOf(present) ?? [];
  switch (wanted) {
    case "major":
      return `${major + 1}.0.0`;
    case "minor":
      return `${major}.${minor + 1}.0`;
    case "patch":
      return `${major}.${minor}.${patch + 1}`;
    default:
      return numbersOf(wanted) === undefined ? undefined : wanted;
  }
}

/** True when the first version is newer than the second. */
export function isNewer(one: string, other: string): boolean {
  const [these, those] = [numbersOf(one) ?? [], numbersOf(other) ?? []];
  const index = these.findIndex((number, place) => number !== those[place]);
  return index >= 0 && (these[index] ?? 0) > (those[index] ?? 0);
}

/** Major, minor and patch: this project has no pre-releases. */
function numbersOf(version: string): number[] | undefined {
  const parts = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version);
  return parts ? parts.slice(1).map(Number) : undefined;
}
