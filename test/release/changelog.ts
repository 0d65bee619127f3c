/** CHANGELOG.md, in the form of Keep a Changelog. */

export interface Section {
  /** `Unreleased`, or a version. */
  readonly name: string;
  readonly date: string | undefined;
  /** What changed, by kind of change, in the file's order. */
  readonly kinds: readonly { readonly kind: string; readonly entries: readonly string[] }[];
}

/** The sections from the newest on. Texts before the first one are left out. */
export function sectionsOf(changelog: string): Section[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [heading = "", ...lines] = text.split("\n");
      const [, name = heading, date] = /^\[([^\]]+)\](?: - (\S+))?$/.exec(heading) ?? [];
      const kinds = lines
        .join("\n")
        .split(/^### /m)
        .slice(1)
        .map((part) => {
          const [kind = "", ...rest] = part.split("\n");
          return { kind, entries: rest.filter((line) => line.startsWith("- ")) };
        });
      return { name, date, kinds };
    });
}

/** True when something is written down that no version has yet. */
export function hasUnreleased(changelog: string): boolean {
  const section = sectionsOf(changelog).find(({ name }) => name === "Unreleased");
  return section?.kinds.some(({ entries }) => entries.length > 0) ?? false;
}

/** What was unreleased becomes a version's, and a new empty section stands before it. */
export function released(changelog: string, version: string, date: string): string {
  return changelog.replace(/^## \[Unreleased\]$/m, `## [Unreleased]\n\n## [${version}] - ${date}`);
}
