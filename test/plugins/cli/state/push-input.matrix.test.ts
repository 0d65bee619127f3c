import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage, main, plainEnv } from "../../../helpers/processes/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "engine state push -", () => {
  it("waits for a writer that takes its time", async () => {
    const program = await project.read("engine.run.mjs");
    await project.write("engine.run.mjs", program.replace("repeat(200)", "repeat(300_000)"));
    await project.run("up");
    const pulled = (await project.run("state", "pull")).stdout;
    // More than a pipe buffers.
    expect(pulled.length).toBeGreaterThan(600_000);
    const env = { ...plainEnv(), ...project.env };
    const child = spawn(process.execPath, [main, "state", "push", "-", "--yes"], { cwd: project.folder, env });
    const said = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    // The command may refuse it before all is written.
    child.stdin.on("error", () => {});
    const parts = [pulled.slice(0, 500_000), pulled.slice(500_000, 500_100), pulled.slice(500_100)];
    for (const part of parts) {
      if (!child.stdin.write(part)) await Promise.race([once(child.stdin, "drain"), said]);
      await Promise.race([pause(400), said]);
    }
    child.stdin.end();
    const [stdout, stderr] = await said;
    expect({ code: child.exitCode, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining("EAGAIN") });
    expect(stdout).toContain("is the same already");
  });
});
