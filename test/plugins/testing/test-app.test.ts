import { existsSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Resource } from "../../../core/resource/index.js";
import { engine } from "../../../plugins/index.js";
import { createTestApp } from "../../../plugins/testing/index.js";
import { rejection } from "../../helpers/apps/apps.js";
import { boxes, withApp } from "../../helpers/apps/test-apps.js";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("createTestApp", () => {
  it("refuses an option that it does not have, before any run", async () => {
    const given = { bogus: 1 } as object;
    await expect(createTestApp(given)).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining('no option "bogus"'),
    });
  });

  it("runs programs one after the other on one state, and says what each has done", async () => {
    const { kind, definition } = boxes();
    const Box = Resource(kind, definition);
    await withApp(async (app) => {
      expect(await app.run(() => Box("a", { size: 1 }))).toEqual({ size: 1 });
      expect([app.actions, app.summary?.created]).toEqual([["created a"], 1]);
      await app.run(async (scope) => scope.name === "test" && Box("a", { size: 1 }));
      expect(app.actions).toEqual(["unchanged a"]);
      await app.run(() => Box("a", { size: 2 }));
      expect(app.actions).toEqual(["updated a"]);
      await app.run(() => {});
      expect(app.actions).toEqual(["deleted a"]);
    });
  });

  it("reads nothing of the process: no argument, no variable; its folder is its own", async () => {
    vi.stubEnv("ENGINE_STAGE", "prod");
    vi.spyOn(process, "argv", "get").mockReturnValue(["node", "app.ts", "--stage", "prod"]);
    await withApp(
      async (app) => {
        const seen = await app.run(({ stage, appName, rootDir }) => [stage, appName, rootDir]);
        expect(seen).toEqual(["test", "test", app.rootDir]);
      },
      { engine },
    );
  });

  it("destroys in the end what its runs have made, and deletes its folder", async () => {
    const { kind, definition, there } = boxes();
    const Box = Resource(kind, definition);
    const folder = await withApp(async (app) => {
      await app.run(() => Box("a", { size: 1 }));
      expect(there.size).toBe(1);
      return app.rootDir;
    });
    expect([there.size, existsSync(folder)]).toEqual([0, false]);
  });

  it("deletes its folder also where something cannot be destroyed, and says so", async () => {
    const { kind, definition } = boxes();
    const Box = Resource(kind, { ...definition, delete: () => Promise.reject(new Error("bolted")) });
    const app = await createTestApp();
    await app.run(() => Box("a", { size: 1 }));
    await expect(app[Symbol.asyncDispose]()).rejects.toMatchObject({ name: "RunFailedError" });
    expect(existsSync(app.rootDir)).toBe(false);
  });

  it("takes options for all runs, and for one", async () => {
    const stateStore = memoryStore({ append: false });
    await withApp(
      async (app) => {
        expect(await app.run(({ stage, force }) => [stage, force])).toEqual(["dev", false]);
        expect(await app.run(({ stage, force }) => [stage, force], { force: true })).toEqual(["dev", true]);
        expect(app.stateStore).toBe(stateStore);
      },
      { name: "shop", stage: "dev", stateStore },
    );
  });

  it("rejects with what failed, and keeps what the run told", async () => {
    await withApp(async (app) => {
      const failed = () => Promise.reject(new Error("no"));
      expect(await rejection(app.run(failed))).toMatchObject({ name: "RunFailedError" });
      expect(app.events.at(-1)).toMatchObject({ type: "run:finished", ok: false });
      expect(await rejection(app.run(() => {}, { phase: "read", force: 1 as never }))).toMatchObject({
        code: "INVALID_OPTION",
      });
    });
  });
});
