import { expect, test } from "vitest";
import { read } from "../house/project.ts";
import { builtIn, noticesOf } from "./notices.ts";
import { billOf } from "./sbom.ts";

const {
  dependencies,
  peerDependencies,
}: Record<"dependencies" | "peerDependencies", Record<string, string>> = JSON.parse(read("package.json"));

const all = builtIn();

test("built-in packages are not dependencies as well, and come with their licences", () => {
  const names = all.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["@babel/core", "commander", "chokidar"]));
  expect(names.filter((name) => name in dependencies || name in peerDependencies)).toEqual([]);
  // Run "npm run notices" if this fails.
  expect(read("THIRD-PARTY-NOTICES")).toBe(noticesOf(all));
});

test("a release lists all built-in packages with their versions", () => {
  const { components, dependencies } = billOf(all);
  expect(components.map(({ name, version }) => `${name} ${version}`)).toEqual(
    all.map(({ name, version }) => `${name} ${version}`),
  );
  expect(components.find(({ name }) => name === "@babel/core")?.purl).toMatch(/^pkg:npm\/%40babel\/core@7\./);
  expect(dependencies[0]?.dependsOn).toHaveLength(new Set(components.map(({ purl }) => purl)).size);
});

test("the licences of built-in packages allow redistribution with this one", () => {
  const free = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "CC-BY-4.0", "0BSD"]);
  expect(all.filter(({ licence }) => !free.has(licence))).toEqual([]);
});
