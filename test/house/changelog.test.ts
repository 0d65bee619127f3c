import { describe, expect, test } from "vitest";
import { type Section, sectionsOf } from "../release/changelog.ts";
import { isNewer } from "../release/version.ts";
import { read } from "./project.ts";

const kindsInOrder = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

/** What is wrong with a changelog, by the rules of Keep a Changelog; one sentence each. */
function faultsOf(changelog: string, version: string): string[] {
  const sections = sectionsOf(changelog);
  const [first, ...versions] = sections;
  const faults = sections.flatMap((section) => faultsIn(section));
  if (!changelog.startsWith("# Changelog\n")) faults.push("The title is not Changelog.");
  if (first?.name !== "Unreleased") faults.push("The first section is not Unreleased.");
  for (const [index, { name, date }] of versions.entries()) {
    if (!/^\d+\.\d+\.\d+$/.test(name)) faults.push(`"${name}" is no version.`);
    if (!/^\d{4}-\d\d-\d\d$/.test(date ?? "")) faults.push(`${name} has no date.`);
    const older = versions[index + 1];
    if (older && !isNewer(name, older.name)) faults.push(`${name} stands before ${older.name}.`);
  }
  // A project that never released has the version that it begins with.
  if (versions.length > 0 && versions[0]?.name !== version) faults.push(`${version} is not the newest version.`);
  return faults;
}

function faultsIn({ name, kinds }: Section): string[] {
  const found = kinds.map(({ kind }) => kind);
  const known = kindsInOrder.filter((kind) => found.includes(kind));
  const faults = kinds.filter(({ entries }) => entries.length === 0).map(({ kind }) => `${name} has nothing ${kind}.`);
  if (found.join() !== known.join()) faults.push(`${name} has ${found.join(", ")}.`);
  if (name !== "Unreleased" && kinds.length === 0) faults.push(`${name} says nothing.`);
  return faults;
}

describe("CHANGELOG.md", () => {
  test("keeps the form of Keep a Changelog", () => {
    const { version }: { version: string } = JSON.parse(read("package.json"));
    expect(faultsOf(read("CHANGELOG.md"), version)).toEqual([]);
  });
});

describe("the check", () => {
  const good = `# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-01\n\n### Added\n\n- A.\n\n### Fixed\n\n- B.\n\n## [0.1.0] - 2026-01-01\n\n### Added\n\n- C.\n`;

  test("has nothing against a good one", () => {
    expect(faultsOf(good, "0.2.0")).toEqual([]);
  });

  test.each([
    ["another title", good.replace("# Changelog", "# News")],
    ["no section for what comes", good.replace("## [Unreleased]", "")],
    ["a version without a date", good.replace(" - 2026-02-01", "")],
    ["versions in the wrong order", good.replace("0.1.0", "0.3.0")],
    ["a kind of its own", good.replace("### Fixed", "### Mended")],
    ["kinds in another order", good.replace("### Added\n\n- A.", "### Security\n\n- A.")],
    ["a heading without an entry", good.replace("- B.", "")],
    ["a version that package.json does not have", good.replaceAll("0.2.0", "0.2.1")],
  ])("finds %s", (_, text) => {
    expect(faultsOf(text, "0.2.0")).not.toEqual([]);
  });
});
