import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { startSession } from "../../../helpers/terminal/cli-session.js";
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
      expect(stderr).toContain("[STATE_LOCKED]");
      expect(stderr).toContain(`process ${run.process.pid}`);
    }
    const rotation = await project.runWith({ ENGINE_NEW_PASSWORD: "new" }, "secrets", "rotate");
    expect(rotation).toMatchObject({ code: 3, stderr: expect.stringContaining("[STATE_LOCKED]") });
    expect(await project.files()).toEqual(before);
    expect(await project.json("state", "list")).toMatchObject({
      lock: { pid: run.process.pid, command: "up", process: "runs", session: expect.any(String) },
    });
    expect(await project.json("state", "verify")).toMatchObject({ isBusy: true, findings: [] });
    run.process.kill("SIGKILL");
    await run.ended;
    expect((await project.run("state", "move", "page", "home", "--yes")).code).toBe(0);
  });

  it("a change waits as long as --lock-timeout says, names the holder, and ends with 130 on Ctrl-C", async () => {
    const run = await running();
    const wait = ["--yes", "--lock-timeout", "1m"];
    const move = session(["state", "move", "page", "home", ...wait]);
    const forget = session(["state", "forget", "page", ...wait]);
    // These commands do not print the line for long waits.
    await Promise.all([move.next("waiting  for "), forget.next("waiting  for ")]);
    forget.process.kill("SIGINT");
    expect((await forget.ended).code).toBe(130);
    expect(await project.recorded()).toContain("web/page");
    run.process.kill("SIGINT");
    expect((await move.ended).code).toBe(0);
    expect(move.output).toContain('is "shop/tester/web/home" now');
    expect((await run.ended).code).toBe(130);
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
    // A file in the project folder holds the results that it could not record.
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
