import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { EngineOptions, ScopeOptions } from "../../../core/contract/index.js";
import { processes } from "../../../plugins/processes/index.js";
import { recorder, rejection, testApps } from "../../helpers/apps/apps.ts";
import { extract, isAlive, roots, server } from "../../helpers/processes/processes.ts";

const newRoot = roots();
const { engine, open } = testApps({ plugins: [processes()] });

const recordIn = (root: string): string => join(root, ".engine/processes/shop/dev/web.json");
const session: EngineOptions = { watch: true, env: { ENGINE_SESSION: "s1" } };

/** A run of a program that spawns "web" with these options. */
async function run(rootDir: string, options: object = {}, more: EngineOptions = {}): Promise<number> {
  const app = await open({ rootDir, ...session, ...more });
  const pid = Number(await app.spawn("web", { ...server, extract, ...options }));
  await app.finalize();
  return pid;
}

describe("what was spawned in a session", () => {
  it("what is no longer spawned is ended when the run is finalized", async () => {
    const rootDir = await newRoot();
    const heard = recorder();
    const pid = await run(rootDir);
    const app = await open({ rootDir, ...session, plugins: [heard.plugin] });
    expect(isAlive(pid)).toBe(true);
    await app.finalize();
    expect(isAlive(pid)).toBe(false);
    expect(heard.events).toContainEqual({
      type: "process:exited",
      id: "web",
      fqn: "shop/dev/web",
      pid,
      exitCode: null,
    });
    expect(await stat(recordIn(rootDir)).catch(() => "absent")).toBe("absent");
  });

  it.each([
    ["where orphans stay", { destroyOrphans: false }],
    ["where some are left out", { exclude: ["shop/dev/other"] }],
    ["in another stage", { stage: "prod" }],
    ["in the phase read", { phase: "read" }],
  ] as const)("it stays %s", async (_what, options) => {
    const rootDir = await newRoot();
    const pid = await run(rootDir);
    const app = await open({ rootDir, ...session, ...options });
    await app.finalize();
    expect(isAlive(pid)).toBe(true);
  });

  it("it stays after a run that failed, and one that only made a plan", async () => {
    const rootDir = await newRoot();
    const pid = await run(rootDir);
    const app = await open({ rootDir, ...session });
    void app.exec("x", ["no-such-program"]);
    await rejection(app.finalize());
    await engine.plan("shop", { stage: "dev", rootDir, ...session, stateStore: memoryStore() }, () => {});
    expect(isAlive(pid)).toBe(true);
  });

  it("destroying the stage, or its scope, ends it", async () => {
    const rootDir = await newRoot();
    const pid = await run(rootDir);
    await (await open({ rootDir, ...session, phase: "destroy" })).finalize();
    expect(isAlive(pid)).toBe(false);
    const app = await open({ rootDir, ...session });
    const other = await app.run(() => engine.run("a", (a) => a.spawn("web", { ...server, extract })));
    await app.run(() => engine.run("a", () => engine.destroy()));
    expect(isAlive(Number(other))).toBe(false);
  });

  it("a renamed scope ends the process under its old name before it starts it again; if orphans stay, it stays", async () => {
    const rootDir = await newRoot();
    const spawned = async (name: string, options: ScopeOptions): Promise<readonly number[]> => {
      const app = await open({ rootDir, ...session });
      const pids = await app.run(() =>
        engine.run(name, options, async (scope) => {
          const living = before.filter(isAlive);
          return [...living, Number(await scope.spawn("web", { ...server, extract }))];
        }),
      );
      await app.finalize();
      return pids;
    };
    let before: readonly number[] = [];
    before = await spawned("old", {});
    const after = await spawned("new", { aliases: ["old"] });
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    before = after;
    const kept = await spawned("newest", { aliases: ["new"], destroyOrphans: false });
    expect(kept).toEqual([...before, expect.any(Number)]);
    expect(kept.every(isAlive)).toBe(true);
  });

  it("a run without watch mode that takes it ends it", async () => {
    const rootDir = await newRoot();
    const pid = await run(rootDir);
    const heard = recorder();
    const app = await open({ rootDir, plugins: [heard.plugin] });
    expect(Number(await app.spawn("web", { ...server, extract }))).toBe(pid);
    await app.finalize();
    expect(isAlive(pid)).toBe(false);
    expect(heard.events).toContainEqual({
      type: "process:exited",
      id: "web",
      fqn: "shop/dev/web",
      pid,
      exitCode: null,
    });
  });
});
