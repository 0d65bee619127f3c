import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { isEngineError } from "../../core/base/index.js";
import { Scope } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import { rejection, testApps } from "../helpers/apps/apps.ts";
import { newThings } from "../helpers/apps/things.ts";

type Core = typeof import("../../plugins/engine/index.js") &
  Pick<typeof import("../../plugins/index.js"), "EngineError" | "isEngineError" | "Resource" | "Scope">;

const DOORS = `
export * from "./plugins/engine/index.js";
export { EngineError, isEngineError } from "./core/base/index.js";
export { Scope } from "./core/contract/index.js";
export { Resource } from "./core/resource/index.js";
`;

const { engine, open } = testApps();
const root = fileURLToPath(new URL("../..", import.meta.url));
let folder = "";
let other: Core;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "two-copies-"));
  const outfile = join(folder, "core.mjs");
  // Packages are bundled into the copy, like in a program that has two of them installed.
  const banner = { js: 'import { createRequire as of } from "node:module"; const require = of(import.meta.url);' };
  await build({
    absWorkingDir: root,
    stdin: { contents: DOORS, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    banner,
  });
  other = await import(outfile);
});
afterAll(() => rm(folder, { recursive: true }));

describe("two copies of the package in one process", () => {
  it("are two copies", () => {
    expect(other.Scope).not.toBe(Scope);
  });

  it("share the current scope", async () => {
    const app = await open();
    expect(other.Scope.current).toBe(app);
    await app.run(() => expect(other.Scope.current).toBe(app));
    await other.createEngine().run("child", () => expect(Scope.current.fqn("a")).toBe("shop/dev/child/a"));
  });

  it("tell live apps apart, whichever copy made them", async () => {
    const one = await open({}, "one");
    const two = await other.createEngine()("two", { stateStore: memoryStore() });
    expect(() => Scope.current).toThrow(expect.objectContaining({ code: "AMBIGUOUS_SCOPE" }));
    await two.finalize();
    expect(Scope.current).toBe(one);
  });

  it("share the kinds: the same definition is accepted, another one is KIND_CONFLICT", () => {
    const make = (output: string) => ({ create: () => ({ output }) });
    Resource("test:Shared", make("a"));
    expect(other.Resource("test:Shared", make("a")).kind).toBe("test:Shared");
    expect(() => other.Resource("test:Shared", { create: () => ({ other: 1 }) })).toThrow(
      expect.objectContaining({ code: "KIND_CONFLICT" }),
    );
  });

  it("declare resources in each other's scopes", async () => {
    const app = await open();
    const Note = other.Resource("test:CopiedNote", {
      create: async ({ scope, id }) => ({ path: scope.createPhysicalName(id) }),
      delete: () => {},
    });
    const { Thing, there } = newThings();
    const note = await Note("a", {});
    await Thing("b", { text: note.path });
    expect([...there]).toEqual([["shop/dev/b", "shop-a-dev"]]);
    await app.finalize();
    const next = await app.run(() => Scope.current.has("a", "test:CopiedNote"));
    expect(next).toBe(true);
  });

  it("destroy each other's scopes and resources", async () => {
    const app = await open();
    const { Thing, there } = newThings();
    const copy = other.createEngine();
    const [a] = [Thing("a")];
    await a;
    await copy.destroy(a);
    await Thing("b");
    await copy.destroy(app);
    expect([...there]).toEqual([]);
    expect(app).toBeInstanceOf(other.Scope);
  });

  it("know each other's errors", async () => {
    const app = await open();
    const error = await rejection(other.createEngine().run("a/b", () => {}));
    expect(isEngineError(error, "INVALID_NAME")).toBe(true);
    const Failing = Resource("test:Failing", {
      create: () => {
        throw new other.EngineError("COMMAND_FAILED", "No.");
      },
    });
    expect(await rejection(Failing("a"))).toMatchObject({ code: "COMMAND_FAILED" });
    expect(other.isEngineError(await rejection(app.finalize()), "RUN_FAILED")).toBe(true);
    await rejection(engine.destroy({}));
  });
});
