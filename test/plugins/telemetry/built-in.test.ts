import { describe, expect, it } from "vitest";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import { keyvStoreAt } from "../../../adapters/keyv/index.js";
import { NOTHING_DONE } from "../../../core/base/index.js";
import { stringsIn } from "../../../docs/tables/code.ts";
import { namesInTables } from "../../../docs/tables/markdown.ts";
import { memoryStore } from "../../../plugins/index.js";
import * as resources from "../../../plugins/resources/index.js";
import { ciVendor, finished, started } from "../../../plugins/telemetry/run-events.js";
import { BUILT_IN_KINDS, BUILT_IN_STORES } from "../../../plugins/telemetry/switches.js";
import { read } from "../../house/project.ts";

const start = { phase: "up", store: "fs", env: {} } as const;
const end = { ok: true, duration: 1.6, summary: NOTHING_DONE, codes: [], kinds: {} };

describe("a value that is reported by its name", () => {
  it("is every kind that ships with the engine, and no other", () => {
    expect(
      Object.values(resources)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(BUILT_IN_KINDS);
  });

  it("is every store that ships with the engine", () => {
    const openers = ["postgres", "redis", "s3"].map((name) => stringsIn(read(`adapters/${name}/open.ts`)).has(name));
    expect(openers).toEqual([true, true, true]);
    const others = [fsStoreAt("x"), memoryStore(), keyvStoreAt(new Map())].map(({ name }) => name);
    expect([...others, "postgres", "redis", "s3"].sort()).toEqual(BUILT_IN_STORES);
  });

  it("is not a user's own store, and not an error code that is not the engine's", () => {
    const { properties } = finished({ ...start, store: "acme" }, { ...end, ok: false, codes: ["ACME", "FENCED"] });
    expect(properties).toMatchObject({ store: "custom", errors: ["FENCED", "OTHER"], outcome: "failed", duration: 2 });
  });

  it("is the service that a run is on", () => {
    expect([{}, { CI: "false" }, { CI: "1" }, { CI: "true", GITHUB_ACTIONS: "true" }].map(ciVendor)).toEqual([
      false,
      false,
      true,
      "github",
    ]);
  });
});

describe("the guide on telemetry", () => {
  it("lists all that is sent, and nothing else", () => {
    const sent = new Set([started(start), finished(start, end)].flatMap(({ properties }) => Object.keys(properties)));
    expect(namesInTables(read("docs/guide/telemetry.md"), "property").sort()).toEqual([...sent].sort());
  });
});
