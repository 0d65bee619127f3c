import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cyclesOf, packagesLoadedBy } from "./import-graph.ts";
import { targetOf, violationsOf } from "./import-rules.ts";
import { entrySources } from "./package-exports.ts";
import { filesBelow, read, root, sourceFiles } from "./project.ts";
import { importsOf } from "./source-imports.ts";

const sources = sourceFiles();
const imports = new Map(sources.map((file) => [file, importsOf(read(file))] as const));
const heavy = /^(@aws-sdk\/|@smithy\/|redis$|@redis\/|@keyv\/|keyv$|posthog-node$)/;

describe("the project", () => {
  test("imports only in the direction of the house", () => {
    expect([...imports].flatMap(([file, found]) => violationsOf(file, found))).toEqual([]);
  });

  test("imports only files that exist", () => {
    const missing = [...imports].flatMap(([file, found]) =>
      found.flatMap(({ specifier = "" }) => {
        const target = targetOf(file, specifier);
        return target === undefined || existsSync(root + target) ? [] : [`${file} imports ${target}`];
      }),
    );
    expect(missing).toEqual([]);
  });

  test("has no import cycle besides type-only ones", () => {
    expect(cyclesOf(imports)).toEqual([]);
  });

  test('loads no driver with "scope-engine"', () => {
    const loaded = packagesLoadedBy("plugins/index.ts", imports);
    expect([...loaded].filter(([name]) => heavy.test(name))).toEqual([]);
    expect([...loaded.keys()].sort()).toEqual(["mitt", "tapable"]);
  });

  test("has an index.ts only at entries", () => {
    const entries = new Set([...entrySources(), "core/testing/index.ts"]);
    expect(sources.filter((file) => file.endsWith("/index.ts") && !entries.has(file))).toEqual([]);
  });

  test("reaches its own sources by relative paths, and the examples reach it by its name", () => {
    const byName = [...imports].filter(([, found]) =>
      found.some(({ specifier }) => specifier?.startsWith("scope-engine")),
    );
    expect(byName.map(([file]) => file)).toEqual([]);
    const inside = filesBelow("docs/examples", (path) => path.endsWith(".ts")).filter((file) =>
      importsOf(read(file)).some(({ specifier }) => /^(\.\.\/)+(core|plugins|adapters|dist)\//.test(specifier ?? "")),
    );
    expect(inside).toEqual([]);
  });
});

describe("the check", () => {
  const broken = (file: string, text: string): number => violationsOf(file, importsOf(text)).length;

  test.each([
    ["core/engine.ts", 'import { cliArgs } from "../plugins/cli-args.js";'],
    ["core/engine.ts", 'import type { FsOptions } from "../adapters/fs.js";'],
    ["core/engine.ts", 'export * from "../plugins/env.js";'],
    ["core/engine.ts", 'const it = await import("../plugins/env.js");'],
    ["core/engine.ts", 'let it: import("../plugins/env.js").Env;'],
    ["core/engine.ts", 'import { AsyncSeriesHook } from "tapable";'],
    ["core/hooks.ts", 'import mitt from "mitt";'],
    ["core/engine.ts", 'import { readFile } from "fs/promises";'],
    ["core/engine.ts", 'import { errors } from "./errors";'],
    ["core/engine.ts", "await import(path);"],
    ["core/engine.ts", 'import { suite } from "./testing/store-suite.js";'],
    ["adapters/s3.ts", 'import { createClient } from "redis";'],
    ["adapters/internal/fs-lock.ts", 'import { S3Client } from "@aws-sdk/client-s3";'],
    ["adapters/s3.ts", 'import { fsStore } from "./fs.js";'],
    ["adapters/s3.ts", 'import { encode } from "../core/state/codec.js";'],
    ["adapters/s3.ts", 'import type { Sink } from "../plugins/telemetry.js";'],
    ["plugins/console.ts", 'import { fsStore } from "../adapters/fs.js";'],
    ["plugins/state-store.ts", 'import { s3Store } from "../adapters/s3.js";'],
    ["plugins/cli/state/store-at.ts", 'import { s3Store } from "../../../adapters/s3.js";'],
    ["plugins/cli/state/pull.ts", 'const { s3Store } = await import("../../../adapters/s3.js");'],
    ["plugins/index.ts", 'import { posthogSink } from "../adapters/posthog.js";'],
    ["plugins/telemetry.ts", 'const sink = await import("../adapters/posthog.js");'],
    ["plugins/console.ts", 'import { cliArgs } from "./cli-args.js";'],
    ["plugins/console.ts", 'import { AsyncSeriesHook } from "tapable";'],
    ["plugins/console.ts", 'import { testApp } from "../core/testing/index.js";'],
    ["plugins/console.ts", 'const colours = await import("picocolors");'],
    ["plugins/console/look.ts", 'import colours from "picocolors";'],
  ])("finds fault with %s: %s", (file, text) => {
    expect(broken(file, text)).toBe(1);
  });

  test.each([
    ["core/hooks.ts", 'import { AsyncSeriesHook } from "tapable"; import { EngineError } from "./errors.js";'],
    ["core/events.ts", 'import mitt, { type Emitter } from "mitt";'],
    [
      "core/state/journal.ts",
      'import { setTimeout } from "node:timers/promises"; import { read } from "../settle.js";',
    ],
    ["core/testing/index.ts", 'export { storeSuite } from "./store-suite.js";'],
    [
      "adapters/s3.ts",
      'import type { Scope } from "../core/scope/scope.js"; import { sign } from "./internal/s3-sign.js";',
    ],
    ["adapters/s3.ts", 'const { S3Client } = await import("@aws-sdk/client-s3");'],
    [
      "adapters/fs.ts",
      'import { isGrowing } from "../core/state/store.js"; import { EngineError } from "../core/errors.js";',
    ],
    ["plugins/state-store.ts", 'import { fsStore } from "../adapters/fs.js";'],
    [
      "plugins/console.ts",
      'import { line } from "./console/lines.js"; import { Scope } from "../core/scope/scope.js";',
    ],
    ["plugins/console/look.ts", 'const colours = await import("picocolors");'],
    ["plugins/index.ts", 'import { cliArgs } from "./cli-args.js";'],
    ["plugins/index.ts", 'const sink = await import("../adapters/posthog.js");'],
    ["plugins/cli/run.ts", "await import(path);"],
  ])("has nothing against %s: %s", (file, text) => {
    expect(broken(file, text)).toBe(0);
  });

  test("finds a cycle, and leaves a type-only one alone", () => {
    const graph = (back: string) =>
      new Map([
        ["core/a.ts", importsOf('import { b } from "./b.js";')],
        ["core/b.ts", importsOf(`${back} from "./a.js";`)],
      ]);
    expect(cyclesOf(graph("import { a }"))).toEqual([["core/a.ts", "core/b.ts"]]);
    expect(cyclesOf(graph("import { type A }"))).toEqual([["core/a.ts", "core/b.ts"]]);
    expect(cyclesOf(graph("import type { A }"))).toEqual([]);
  });

  test("finds a driver that an entry loads through other files, and no lazy one", () => {
    const graph = (driver: string) =>
      new Map([
        ["plugins/index.ts", importsOf('import { store } from "../adapters/s3.js";')],
        ["adapters/s3.ts", importsOf(driver)],
      ]);
    const loaded = (driver: string) => [...packagesLoadedBy("plugins/index.ts", graph(driver)).keys()];
    expect(loaded('import { S3Client } from "@aws-sdk/client-s3";')).toEqual(["@aws-sdk/client-s3"]);
    expect(loaded('await import("@aws-sdk/client-s3");')).toEqual([]);
  });
});
