import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isBuilt } from "../../../helpers/engine-project.js";
import { startEngine } from "../../../helpers/running-engine.js";
import { type Shop, shop } from "./shop.js";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

/** A run that has something to record, and then waits. */
async function running() {
  const source = (await project.read("engine.run.mjs")).replace('Thing("logo"', 'Thing("sign"');
  await project.write("waiting.mjs", source);
  const run = startEngine(project.folder, ["up", "waiting.mjs"], { ...project.env, WAIT: "yes" });
  await run.printed("waiting");
  return run;
}

const CHANGES = [
  ["move", "page", "home"],
  ["forget", "page"],
  ["restore", "2"],
  ["push", "old.json", "--force"],
  ["recover"],
  ["unlock"],
] as const;

describe.runIf(isBuilt)("while another process is at work", () => {
  it("a change ends with 3, names it, and changes nothing; to look is allowed", async () => {
    await project.run("state", "pull", "--out", "old.json");
    const run = await running();
    const before = await project.files();
    for (const args of CHANGES) {
      const yes = args[0] === "recover" ? [] : ["--yes"];
      const { code, stdout, stderr } = await project.run("state", ...args, ...yes);
      expect([args[0], code, stdout]).toEqual([args[0], 3, ""]);
      expect(stderr).toContain("EngineError [STATE_LOCKED]");
      expect(stderr).toContain(`process ${run.process.pid}`);
    }
    const rotation = await project.runWith({ ENGINE_NEW_PASSWORD: "new" }, "secrets", "rotate");
    expect(rotation).toMatchObject({ code: 3, stderr: expect.stringContaining("EngineError [STATE_LOCKED]") });
    expect(await project.files()).toEqual(before);
    expect(await project.json("state", "list")).toMatchObject({
      lock: { pid: run.process.pid, command: "up", process: "runs", session: expect.any(String) },
    });
    expect(await project.json("state", "verify")).toMatchObject({ isBusy: true, findings: [] });
    run.process.kill("SIGKILL");
    await run.ended;
    expect((await project.run("state", "move", "page", "home", "--yes")).code).toBe(0);
  });

  it("a change waits as long as it is told to, and says for whom", async () => {
    const run = await running();
    const move = startEngine(
      project.folder,
      ["state", "move", "page", "home", "--yes", "--lock-timeout", "1m"],
      project.env,
    );
    await move.printed("waiting  for ");
    run.process.kill("SIGINT");
    expect(await move.ended).toMatchObject({
      code: 0,
      output: expect.stringContaining('is "shop/tester/web/home" now'),
    });
    expect((await run.ended).code).toBe(130);
  });

  it("a change that waits ends with 130 on Ctrl-C", async () => {
    const run = await running();
    const forget = startEngine(project.folder, ["state", "forget", "page", "--yes", "--lock-timeout=1m"], project.env);
    await forget.printed("waiting  for ");
    forget.process.kill("SIGINT");
    expect((await forget.ended).code).toBe(130);
    run.process.kill("SIGKILL");
    await run.ended;
    expect(await project.recorded()).toContain("web/page");
  });

  it("unlock takes the stage away from it when forced: it fails, and what it did stays recorded", async () => {
    const run = await running();
    const told = await project.json("state", "unlock", "--yes", "--force");
    expect(told).toMatchObject({ unlocked: { pid: run.process.pid, command: "up" } });
    run.process.kill("SIGINT");
    const { code, output } = await run.ended;
    expect(code).not.toBe(0);
    expect(output).toContain("FENCED");
    expect(await project.recorded()).toContain("web/sign");
    expect(await project.json("state", "unlock")).toMatchObject({ unlocked: null });
  });
});

describe.runIf(isBuilt)("a command that is killed", () => {
  it.each([
    ["move", ["state", "move", "web", "site", "--yes"]],
    ["forget", ["state", "forget", "web", "--yes"]],
    ["rekey", ["secrets", "rotate", "--rekey"]],
  ])(
    "at any write leaves a state that is whole, and that the same command goes on from: %s",
    async (name, args) => {
      await project.run("state", "pull", "--out", "start.json");
      const before = await project.recorded();
      let after: readonly string[] | undefined;
      for (const edge of ["DIE_BEFORE", "DIE_AFTER"]) {
        for (let write = 1; write < 20; write++) {
          const { code } = await project.runWith({ [edge]: String(write) }, ...args);
          const recorded = await project.recorded();
          if (code === 0) {
            after ??= recorded;
            expect(recorded).toEqual(after);
          } else expect(code).toBeNull();
          expect([before, after ?? recorded], `${name}, ${edge} ${write}`).toContainEqual(recorded);
          expect(await project.json("state", "verify")).toMatchObject({ findings: [] });
          await project.json("state", "show", recorded.includes("db") ? "db" : "shop/tester", "--show-secrets");
          await project.run("state", "push", "start.json", "--yes", "--force");
          expect(await project.recorded()).toEqual(before);
          if (code === 0) break;
        }
      }
      expect(after).toBeDefined();
    },
    120_000,
  );
});
