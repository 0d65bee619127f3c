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

  test("has an index.ts only at entries, and at the doors of core's rooms and of large plugins", () => {
    const entries = new Set(entrySources());
    const isDoor = (file: string): boolean => entries.has(file) || /^(core|plugins\/(terraform|ui))\//.test(file);
    expect(sources.filter((file) => file.endsWith("/index.ts") && !isDoor(file))).toEqual([]);
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
    ["core/engine/engine.ts", 'import { cliArgs } from "../../plugins/cli-args/index.js";'],
    ["core/engine/engine.ts", 'import type { FsOptions } from "../../adapters/fs/index.js";'],
    ["core/engine/engine.ts", 'export * from "../../plugins/env/index.js";'],
    ["core/engine/engine.ts", 'const it = await import("../../plugins/env/index.js");'],
    ["core/engine/engine.ts", 'let it: import("../../plugins/env/index.js").Env;'],
    ["core/engine/engine.ts", 'import { AsyncSeriesHook } from "tapable";'],
    ["core/plugin/hooks.ts", 'import mitt from "mitt";'],
    ["core/engine/engine.ts", 'import { readFile } from "fs/promises";'],
    ["core/engine/engine.ts", 'import { errors } from "./errors";'],
    ["core/engine/engine.ts", "await import(path);"],
    ["core/engine/engine.ts", 'import { suite } from "../testing/store-suite.js";'],
    ["adapters/s3/index.ts", 'import { createClient } from "redis";'],
    ["adapters/fs/lock.ts", 'import { S3Client } from "@aws-sdk/client-s3";'],
    ["adapters/s3/index.ts", 'import { fsStore } from "../fs/index.js";'],
    ["adapters/s3/index.ts", 'import { encode } from "../../core/codec/codec.js";'],
    ["adapters/s3/index.ts", 'import type { Sink } from "../../plugins/telemetry/index.js";'],
    ["plugins/console/index.ts", 'import { fsStore } from "../../adapters/fs/index.js";'],
    ["plugins/state-store/index.ts", 'import { s3Store } from "../../adapters/s3/index.js";'],
    ["plugins/cli/state/store-at.ts", 'import { s3Store } from "../../../adapters/s3/index.js";'],
    ["plugins/cli/state/pull.ts", 'const { s3Store } = await import("../../../adapters/s3/index.js");'],
    ["plugins/index.ts", 'import { posthogSink } from "../adapters/posthog/index.js";'],
    ["plugins/telemetry/index.ts", 'const sink = await import("../../adapters/posthog/index.js");'],
    ["plugins/console/index.ts", 'import { cliArgs } from "../cli-args/index.js";'],
    ["plugins/processes/exec.ts", 'import { Command } from "../resources/index.js";'],
    ["plugins/console/index.ts", 'import { AsyncSeriesHook } from "tapable";'],
    ["plugins/console/index.ts", 'import { testApp } from "../../core/testing/index.js";'],
    ["plugins/console/index.ts", 'const colours = await import("picocolors");'],
    ["plugins/console/theme.ts", 'import colours from "picocolors";'],
  ])("finds fault with %s: %s", (file, text) => {
    expect(broken(file, text)).toBe(1);
  });

  test.each([
    [
      "core/plugin/hooks.ts",
      'import { AsyncSeriesHook } from "tapable"; import { EngineError } from "../base/errors.js";',
    ],
    ["core/plugin/events.ts", 'import mitt, { type Emitter } from "mitt";'],
    [
      "core/state/journal/journal.ts",
      'import { setTimeout } from "node:timers/promises"; import { read } from "../settle.js";',
    ],
    ["core/testing/index.ts", 'export { storeSuite } from "./store-suite.js";'],
    [
      "adapters/s3/index.ts",
      'import type { Scope } from "../../core/contract/scope.js"; import { sign } from "./sign.js";',
    ],
    ["adapters/s3/index.ts", 'const { S3Client } = await import("@aws-sdk/client-s3");'],
    [
      "adapters/fs/index.ts",
      'import { isGrowing } from "../../core/contract/index.js"; import { EngineError } from "../../core/base/index.js";',
    ],
    ["plugins/state-store/index.ts", 'import { fsStore } from "../../adapters/fs/index.js";'],
    [
      "plugins/console/index.ts",
      'import { line } from "./lines.js"; import { Scope } from "../../core/contract/scope.js";',
    ],
    ["plugins/console/theme.ts", 'const colours = await import("picocolors");'],
    ["plugins/index.ts", 'import { cliArgs } from "./cli-args.js";'],
    ["plugins/resources/command.ts", 'import { runChild } from "../processes/run/run-child.js";'],
    ["plugins/index.ts", 'const sink = await import("../adapters/posthog/index.js");'],
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
        ["plugins/index.ts", importsOf('import { store } from "../adapters/s3/index.js";')],
        ["adapters/s3/index.ts", importsOf(driver)],
      ]);
    const loaded = (driver: string) => [...packagesLoadedBy("plugins/index.ts", graph(driver)).keys()];
    expect(loaded('import { S3Client } from "@aws-sdk/client-s3";')).toEqual(["@aws-sdk/client-s3"]);
    expect(loaded('await import("@aws-sdk/client-s3");')).toEqual([]);
  });
});
