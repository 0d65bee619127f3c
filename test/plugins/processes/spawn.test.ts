import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { processes } from "../../../plugins/processes/index.js";
import { identityOf } from "../../../plugins/processes/kept/liveness.js";
import { recorder, rejection, testApps } from "../../helpers/apps/apps.ts";
import { extract, isAlive, node, pidIn, roots, server } from "../../helpers/processes/processes.ts";
import { until } from "../../helpers/time/until.ts";

const newRoot = roots();
const { engine, open } = testApps({ plugins: [processes()] });

const recordIn = (root: string): string => join(root, ".engine/processes/shop/dev/web.json");

describe("scope.spawn(id, options)", () => {
  it("resolves with what extract finds, and ends the process with the run", async () => {
    const app = await open({ rootDir: await newRoot() });
    const pid = Number(await app.spawn("web", { ...server, extract }));
    expect(isAlive(pid)).toBe(true);
    await app.finalize();
    expect(isAlive(pid)).toBe(false);
  });

  it("resolves with undefined without extract, once the process runs", async () => {
    const rootDir = await newRoot();
    const app = await open({ rootDir });
    expect(await app.spawn("web", { command: "sh", args: ["-c", "echo $$ > pid; exec sleep 1000"] })).toBeUndefined();
    const pid = await pidIn(join(rootDir, "pid"));
    await app.finalize();
    expect(isAlive(pid)).toBe(false);
  });

  it("adds its variables to those of the process, in its folder, and needs no shell", async () => {
    const app = await open({ rootDir: await newRoot() });
    const { command, args } = node(
      `console.log([process.env.A, !!process.env.PATH, process.cwd(), ...process.argv.slice(1)].join("|")); setInterval(() => {}, 1000)`,
    );
    const line = await app.spawn("web", {
      command,
      args: [...args, "$HOME *"],
      cwd: "/",
      env: { A: "x y" },
      extract: (said) => said,
    });
    expect(line).toBe("x y|true|/|$HOME *");
  });

  it("reads lines as they come, none lost and none cut in two", async () => {
    const app = await open({ rootDir: await newRoot() });
    // Writes each byte separately, and the last line without a line break.
    const script = `
      const bytes = Buffer.from("ä🎈é\\r\\n".repeat(300) + "the end");
      const next = (at) => at < bytes.length ? (require("fs").writeSync(1, bytes, at, 1), setImmediate(next, at + 1)) : 0;
      next(0);`;
    const lines: string[] = [];
    const note = (line: string): string | undefined => {
      lines.push(line);
      return line === "the end" ? line : undefined;
    };
    expect(await app.spawn("web", { ...node(script), extract: note })).toBe("the end");
    expect(lines).toEqual([...Array(300).fill("ä🎈é"), "the end"]);
  });

  it("rejects with its last lines where it ends first, without the secrets in them", async () => {
    const plugin = definePlugin({
      name: "hiding",
      apply: ({ hooks }) => hooks.redact.tap("hiding", ({ text }) => ({ text: text.replaceAll("hunter2", "***") })),
    });
    const app = await open({ rootDir: await newRoot(), plugins: [plugin] });
    const script = `console.log("one"); console.error("the password is hunter2"); process.exit(3)`;
    const error = await rejection(app.spawn("web", { ...node(script), extract }));
    expect(error).toMatchObject({ code: "PROCESS_FAILED", fqn: "shop/dev/web" });
    expect(String(error)).toMatch(/ended with exit code 3 before .*\n {2}one\n {2}the password is \*\*\*$/);
    expect(await rejection(app.finalize())).toMatchObject({ errors: [error] });
  });

  it.each([
    ["a program that is missing", { command: "no-such-program" }, "PROCESS_FAILED", "ENOENT"],
    ["a folder that is missing", { command: "true", cwd: "nowhere" }, "PROCESS_FAILED", "there is no such folder"],
    ["no program", {}, "INVALID_CALL", "must be the name of a program"],
    ["a list of arguments that is none", { command: "true", args: "x" }, "INVALID_CALL", "must be a list"],
    ["an extract that is no function", { command: "true", extract: 1 }, "INVALID_CALL", "must be a function"],
  ])("rejects %s", async (_what, options, code, message) => {
    const app = await open({ rootDir: await newRoot() });
    const error = await rejection(Reflect.apply(app.spawn, app, ["web", options]));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    await rejection(app.finalize());
  });

  it("rejects with what extract throws", async () => {
    const app = await open({ rootDir: await newRoot() });
    const failing = (): never => {
      throw new Error("not my format");
    };
    expect(String(await rejection(app.spawn("web", { ...server, extract: failing })))).toContain("not my format");
    await rejection(app.finalize());
  });

  it("tells observers of the start and the end", async () => {
    const heard = recorder();
    const app = await open({ rootDir: await newRoot(), plugins: [heard.plugin] });
    const pid = Number(await app.spawn("web", { ...server, extract }));
    await app.finalize();
    const isEnd = ({ type }: { type: string }): boolean => type === "process:started" || type === "process:exited";
    expect(heard.events.filter(isEnd)).toEqual([
      { type: "process:started", id: "web", fqn: "shop/dev/web", pid },
      { type: "process:exited", id: "web", fqn: "shop/dev/web", pid, exitCode: null },
    ]);
  });
});

describe("spawn within one run", () => {
  it("gives one process to all that ask for the same", async () => {
    const app = await open({ rootDir: await newRoot() });
    const [a, b] = await Promise.all([
      app.spawn("web", { ...server, extract }),
      app.spawn("web", { ...server, extract }),
    ]);
    expect(a).toBe(b);
    expect(await app.spawn("web", { ...server, extract })).toBe(a);
  });

  it("refuses one id for two configurations", async () => {
    const app = await open({ rootDir: await newRoot() });
    await app.spawn("web", { ...server, extract });
    const error = await rejection(app.spawn("web", { ...server, env: { A: "b" } }));
    expect(error).toMatchObject({ code: "DUPLICATE_ID", fqn: "shop/dev/web" });
    await rejection(app.finalize());
  });

  it("refuses one id for a command and a process", async () => {
    const app = await open({ rootDir: await newRoot() });
    await app.exec("web", "true");
    expect(await rejection(app.spawn("web", server))).toMatchObject({ code: "DUPLICATE_ID" });
    await rejection(app.finalize());
  });

  it("starts again what has ended meanwhile", async () => {
    const app = await open({ rootDir: await newRoot() });
    const first = Number(await app.spawn("web", { ...server, extract }));
    process.kill(first, "SIGKILL");
    await until(() => !isAlive(first));
    let second = first;
    await until(async () => {
      second = Number(await app.spawn("web", { ...server, extract }));
      return second !== first;
    });
    expect(isAlive(second)).toBe(true);
  });

  it("gives each scope a process of its own", async () => {
    const app = await open({ rootDir: await newRoot() });
    const own = await app.spawn("web", { ...server, extract });
    const other = await app.run(() => engine.run("a", (a) => a.spawn("web", { ...server, extract })));
    expect(other).not.toBe(own);
  });
});

describe("spawn in other phases", () => {
  it("is refused in the phase read and in a plan", async () => {
    const rootDir = await newRoot();
    const app = await open({ rootDir, phase: "read" });
    expect(await rejection(app.spawn("web", server))).toMatchObject({ code: "READ_ONLY" });
    await rejection(app.finalize());
    const options = { stage: "dev", rootDir, stateStore: memoryStore() };
    const planning = engine.plan("shop", options, (scope) => scope.spawn("web", server));
    expect(await rejection(planning)).toMatchObject({ errors: [{ code: "READ_ONLY" }] });
  });

  it("starts nothing in the phase destroy, and what would have been extracted is unknown", async () => {
    const rootDir = await newRoot();
    const app = await open({ rootDir, phase: "destroy" });
    const found = await app.spawn("web", { ...server, extract });
    expect(() => Number(found)).toThrow("is not known yet");
    expect(await app.spawn("web", server)).toBeUndefined();
    await app.finalize();
    expect(await stat(recordIn(rootDir)).catch(() => "absent")).toBe("absent");
  });
});

it("a process is distinguished from every other one", () => {
  expect(identityOf(process.pid)).toMatchObject({ pid: process.pid, started: expect.stringMatching(/^\d+$/) });
});
