/** The first page of the site claims nothing that another page does not show. */
import { expect, test } from "vitest";
import { read } from "../house/project.ts";

const home = read("docs/pages/home.md");

test("has the figures of the comparison", () => {
  const reasons = home.slice(home.indexOf('<div class="reasons">'), home.indexOf('<div class="pair">'));
  const times = reasons.replaceAll("\n", " ").match(/[\d.]+ m?s\b/g) ?? [];
  expect(times.length).toBeGreaterThan(2);
  const comparison = read("docs/guide/comparison.md");
  expect(times.filter((time) => !comparison.includes(`| ${time} |`))).toEqual([]);
});

test("has an install line of the version that this is", () => {
  const { version } = JSON.parse(read("package.json"));
  expect(home).toContain(`scope-engine-${version}.tgz`);
});
