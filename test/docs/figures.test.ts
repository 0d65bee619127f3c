/** Figures that several pages give: each has one source. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resolveOptions } from "../../core/options/index.js";
import { read, root } from "../house/project.ts";

const pages = [
  "README.md",
  "docs/pages/home.md",
  ...readdirSync(join(root, "docs/guide"), { encoding: "utf8" }).flatMap(guide),
];

function guide(name: string): readonly string[] {
  return name.endsWith(".md") ? [`docs/guide/${name}`] : [];
}

/** The matches of a pattern in all pages, without repeats. */
function saidOf(pattern: RegExp): readonly string[] {
  const said = pages.flatMap((page) => [...read(page).matchAll(pattern)].map(([, figure = ""]) => figure));
  return [...new Set(said)];
}

test("pages give different numbers of handlers at once", () => {
  const { concurrency } = resolveOptions({ appName: "shop", options: {}, origins: {}, warnings: [] }, root);
  expect(saidOf(/\[(\d+) by default\]\(options\.md\)/g)).toEqual([String(concurrency)]);
  expect(saidOf(/(\d+): \[`concurrency`\]/g)).toEqual([String(concurrency)]);
  expect(saidOf(/\| `concurrency` \| `(\d+)`/g)).toEqual([String(concurrency)]);
});

test("pages give different versions of Node", () => {
  const { engines }: { engines?: { node?: string } } = JSON.parse(read("package.json"));
  const [oldest22] = /22\.\d+/.exec(engines?.node ?? "") ?? [];
  expect(saidOf(/(\^20\.[\d.]+ \|\| >=[\d.]+)/g)).toEqual([engines?.node]);
  expect(saidOf(/Node\s(22\.\d+) and later/g)).toEqual([oldest22]);
});

test("pages give different sizes of the package", () => {
  expect(saidOf(/Five packages, ([\d.]+ MB)/g)).toHaveLength(1);
  expect(saidOf(/([\d.]+ MB): scope-engine, five packages/g)).toEqual(saidOf(/Five packages, ([\d.]+ MB)/g));
});

test("pages say that there is no web page, or that there are no providers", () => {
  expect(saidOf(/(no web page)/gi)).toEqual([]);
  expect(saidOf(/(providers: there is none)/gi)).toEqual([]);
});

test("a speed is typed into a page instead of coming from the benchmark", () => {
  const typed = pages.filter((page) => {
    const text = read(page).replaceAll(/<!-- speed: \w+ -->.*?<!-- end -->/gs, "");
    return /\d+ times as (?:fast|slow)|1,000 resources in [\d.]+ (?:ms|s)\b/.test(text);
  });
  expect(typed).toEqual([]);
});
