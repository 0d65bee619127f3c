import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage, main, plainEnv } from "../../../helpers/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "engine state push -", () => {
  it("waits for a writer that takes its time", async () => {
    const pulled = (await project.run("state", "pull")).stdout;
    const env = { ...plainEnv(), ...project.env };
    const child = spawn(process.execPath, [main, "state", "push", "-", "--yes"], { cwd: project.folder, env });
    const said = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    // It may be refused before all is written.
    child.stdin.on("error", () => {});
    for (const part of [pulled.slice(0, 100), pulled.slice(100)]) {
      await Promise.race([pause(1000), said]);
      child.stdin.write(part);
    }
    child.stdin.end();
    const [stdout, stderr] = await said;
    expect({ code: child.exitCode, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining("EAGAIN") });
    expect(stdout).toContain("is recorded like that already");
  });
});
