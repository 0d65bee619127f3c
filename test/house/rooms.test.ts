import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { read, sourceFiles } from "./project.ts";
import { circlesOf, levelOf, MOST_FILES, pastDoors, upwardImports } from "./rooms.ts";
import { importsOf } from "./source-imports.ts";

const sources = sourceFiles();
const imports = new Map(sources.map((file) => [file, importsOf(read(file))] as const));
const core = sources.filter((file) => file.startsWith("core/"));

/**
 * The types that programs and plugins see refer to each other: a scope has hooks, and what hooks are given has a scope. That is one
 * circle, in one room, and larger than others may be.
 */
const PUBLIC_TYPES = "core/contract/";
const MOST_IN_A_CIRCLE = 4;

describe("core", () => {
  test("has its files in rooms", () => {
    expect(core.filter((file) => levelOf(file) === undefined)).toEqual(["core/index.ts"]);
  });

  test("has no room that uses one above it", () => {
    expect(upwardImports(imports)).toEqual([]);
  });

  test("has no folder that is too full", () => {
    const files = new Map<string, number>();
    for (const file of core) files.set(posix.dirname(file), (files.get(posix.dirname(file)) ?? 0) + 1);
    const full = [...files].filter(([, count]) => count > MOST_FILES);
    expect(full).toEqual([]);
  });
});

describe("all that is built", () => {
  test("comes into the rooms of core by their doors", () => {
    expect(pastDoors(imports)).toEqual([]);
  });

  test("has no large circle of files, types counted", () => {
    const large = circlesOf(imports).filter(({ length }) => length > MOST_IN_A_CIRCLE);
    expect(large.filter((circle) => !circle.every((file) => file.startsWith(PUBLIC_TYPES)))).toEqual([]);
    expect(large.length).toBeLessThanOrEqual(1);
  });
});

describe("the check", () => {
  const of = (files: Readonly<Record<string, string>>) =>
    new Map(Object.entries(files).map(([file, text]) => [file, importsOf(text)] as const));

  test("finds what leads up, types too, and nothing else", () => {
    const found = upwardImports(
      of({
        "core/base/a.ts": 'import type { Scope } from "../contract/scope.js";',
        "core/run/limits/a.ts": 'import { a } from "../../base/a.js";\nconst b = await import("../../apply/b.js");',
        "plugins/a/index.ts": 'import { a } from "../../core/engine/a.js";',
      }),
    );
    expect(found).toEqual([
      "core/base/a.ts:1 imports ../contract/scope.js",
      "core/run/limits/a.ts:2 imports ../../apply/b.js",
    ]);
  });

  test("finds what does not come by a door", () => {
    const found = pastDoors(
      of({
        "core/run/limits/a.ts":
          'import { a } from "../../base/index.js";\nimport type { b } from "../../base/work/b.js";',
        "core/run/b.ts": 'import { c } from "./limits/c.js";\nconst d = await import("../plan/run/d.js");',
        "plugins/a/index.ts":
          'import { e } from "../../core/engine/e.js";\nexport { f } from "../../core/state/seal/index.js";',
      }),
    );
    expect(found).toEqual([
      "core/run/limits/a.ts:2 imports ../../base/work/b.js",
      "plugins/a/index.ts:1 imports ../../core/engine/e.js",
    ]);
  });

  test("finds circles of types and values, and no dynamic ones", () => {
    const files = {
      "core/a.ts": 'import type { B } from "./b.js";',
      "core/b.ts": 'import { c } from "./c.js";\nexport * from "./d.js";',
      "core/c.ts": 'import { a } from "./a.js";',
      "core/d.ts": 'const a = await import("./a.js");',
    };
    expect(circlesOf(of(files))).toEqual([["core/a.ts", "core/b.ts", "core/c.ts"]]);
    expect(
      circlesOf(of({ ...files, "core/d.ts": 'import { e } from "./e.js";', "core/e.ts": 'import "./d.js";' })),
    ).toEqual([
      ["core/a.ts", "core/b.ts", "core/c.ts"],
      ["core/d.ts", "core/e.ts"],
    ]);
  });
});
