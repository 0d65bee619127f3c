import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fsStore } from "../../../../adapters/fs.js";
import { ledgerKeys } from "../../../../core/state/keys.js";
import { load } from "../../../../core/state/load.js";
import { verify } from "../../../../core/state/verify.js";
import { startSession } from "../../../helpers/cli-session.js";
import { lacksPackage } from "../../../helpers/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

function session(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return startSession(project, args, { env: { ENGINE_STAGE: "tester", ...project.env, ...env } });
}

/** A run that has something to record, and then waits. */
async function running() {
  const source = (await project.read("engine.run.mjs"))
    .replace('Thing("logo"', 'Thing("sign"')
    .replace("http://shop", "new");
  await project.write("waiting.mjs", source);
  const run = session(["up", "waiting.mjs"], { WAIT: "yes" });
  await run.next("waiting");
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

describeUnless(lacksPackage, "while another process is at work", () => {
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
    const move = session(["state", "move", "page", "home", "--yes", "--lock-timeout", "1m"]);
    await move.next("waiting  for ");
    run.process.kill("SIGINT");
    expect((await move.ended).code).toBe(0);
    expect(move.output).toContain('is "shop/tester/web/home" now');
    expect((await run.ended).code).toBe(130);
  });

  it("a change that waits ends with 130 on Ctrl-C", async () => {
    const run = await running();
    const forget = session(["state", "forget", "page", "--yes", "--lock-timeout=1m"]);
    await forget.next("waiting  for ");
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
    await project.write("go-on", "");
    const { code } = await run.ended;
    expect([code, run.output]).toEqual([1, expect.stringContaining("Another run has taken over")]);
    expect(await project.recorded()).toEqual(["db", "web/logo", "web/page", "web/sign"]);
    expect(await project.json("state", "unlock")).toMatchObject({ unlocked: null });
    expect((await project.json("state", "show", "shop/tester")).scope).not.toMatchObject({ outputs: { url: "new" } });
    // What it could not record any more is beside the project.
    expect(await project.json("state", "verify")).toMatchObject({
      findings: [{ level: "harmless", key: expect.stringContaining("engine-recovery.shop.tester.") }],
    });
    expect(await project.json("state", "recover")).toMatchObject({
      recorded: [expect.stringContaining("recorded now")],
      left: [],
    });
    expect(await project.json("state", "show", "shop/tester")).toMatchObject({ scope: { outputs: { url: "new" } } });
    expect(await project.json("state", "recover")).toMatchObject({ recorded: [], left: [] });
  });
});

describeUnless(lacksPackage, "a command that is killed", () => {
  it.each([
    ["move", ["state", "move", "web", "site", "--yes"]],
    ["forget", ["state", "forget", "web", "--yes"]],
    ["rekey", ["secrets", "rotate", "--rekey"]],
  ])(
    "leaves a whole state at any of its writes, be it the old one or the new one: %s",
    async (_, args) => {
      const [state, start] = [join(project.folder, ".engine"), join(project.folder, "start")];
      await cp(state, start, { recursive: true });
      first = undefined;
      const before = await look();
      const seen: unknown[] = [];
      for (const edge of ["DIE_BEFORE", "DIE_AFTER"]) {
        let code: number | null = null;
        for (let write = 1; code === null; write++) {
          ({ code } = await project.runWith({ [edge]: String(write) }, ...args));
          const { findings, ...rest } = await look();
          expect(findings, `${edge} ${write}`).toEqual([]);
          seen.push(rest);
          if (code === null) await project.run(...args);
          await rm(state, { recursive: true });
          await cp(start, state, { recursive: true });
        }
        expect(code).toBe(0);
      }
      const after = seen.at(-1);
      const { findings: _none, ...old } = before;
      for (const one of seen) expect([old, after]).toContainEqual(one);
      expect(after).not.toEqual(old);
    },
    120_000,
  );
});

/** The recorded keys of secrets, as they were before. */
let first: string | undefined;

function isFirst(secrets: string): boolean {
  first ??= secrets;
  return secrets === first;
}

/** What is recorded, read as a run would, and what is wrong with it. */
async function look() {
  const context = { appName: "shop", stage: "tester", rootDir: project.folder, profile: undefined, warn: () => {} };
  const store = fsStore()(context);
  const place = { store, keys: ledgerKeys("shop", "tester"), app: "shop", stage: "tester", keep: 3 };
  const { contents } = await load(place);
  const { findings } = await verify({ ...place, rootDir: project.folder });
  await store.close?.();
  const keys = [...contents.records.values()].map(({ key }) => key).sort();
  // A new data key has another name each time.
  const secrets = JSON.stringify([...(contents.data.get("$secrets") ?? [])]);
  return { keys, data: [...contents.data.keys()].sort(), isSameKey: isFirst(secrets), findings };
}
