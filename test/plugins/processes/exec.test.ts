import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { processes } from "../../../plugins/processes/index.js";
import { recorder, rejection, testApps } from "../../helpers/apps/apps.ts";
import { isAlive, pidIn, roots } from "../../helpers/processes/processes.ts";

const newRoot = roots();
const { engine, open } = testApps({ plugins: [processes()] });

describe("scope.exec(id, command)", () => {
  it("resolves with the exit code and both streams", async () => {
    const app = await open({ rootDir: await newRoot() });
    expect(await app.exec("x", "echo out; echo err >&2; exit 3")).toEqual({
      exitCode: 3,
      stdout: "out\n",
      stderr: "err\n",
    });
  });

  it("resolves for a command that a signal ended, as shells say it", async () => {
    const app = await open({ rootDir: await newRoot() });
    expect((await app.exec("x", "kill -KILL $$")).exitCode).toBe(137);
    expect((await app.exec("x", "kill -TERM $$")).exitCode).toBe(143);
  });

  it("takes a string as a shell does, and a list as it is", async () => {
    const app = await open({ rootDir: await newRoot() });
    const print = `"${process.execPath}" -p "JSON.stringify(process.argv.slice(1))" --`;
    const { stdout } = await app.exec("s", `A="a  b"; ${print} "$A" 'it'"'"'s' '*' "x;y" \\$A`);
    expect(JSON.parse(stdout)).toEqual(["a  b", "it's", "*", "x;y", "$A"]);
    const words = ["$HOME", "a b", "'*'", ";", ""];
    const list = await app.exec("l", [process.execPath, "-p", "JSON.stringify(process.argv.slice(1))", "--", ...words]);
    expect(JSON.parse(list.stdout)).toEqual(words);
  });

  it("runs in its folder, with its variables beside those of the process", async () => {
    const rootDir = await newRoot();
    await mkdir(join(rootDir, "sub"));
    const app = await open({ rootDir });
    const { stdout } = await app.exec("x", 'pwd; echo "$X"; test -n "$PATH" && test -z "$Y" && echo both', {
      cwd: "sub",
      env: { X: "a  b", Y: undefined },
    });
    expect(stdout).toBe(`${join(rootDir, "sub")}\na  b\nboth\n`);
  });

  it("does not wait for ever for what is left in the background with its pipes", async () => {
    const app = await open({ rootDir: await newRoot() });
    const { stdout, exitCode } = await app.exec("x", "sleep 1000 & echo $!");
    expect(exitCode).toBe(0);
    const pid = Number(stdout);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });

  it("may be called again with one id, one after the other and at once", async () => {
    const app = await open({ rootDir: await newRoot() });
    const outs = await Promise.all(["a", "b"].map((word) => app.exec("x", ["echo", word])));
    expect(outs.map(({ stdout }) => stdout)).toEqual(["a\n", "b\n"]);
    expect((await app.exec("x", ["echo", "c"])).stdout).toBe("c\n");
  });

  it("tells observers of the start and the end", async () => {
    const heard = recorder();
    const app = await open({ rootDir: await newRoot(), plugins: [heard.plugin] });
    await app.exec("x", "exit 3");
    await app.exec("y", "kill -KILL $$");
    const told = heard.events.filter(({ type }) => type.startsWith("process:"));
    const [pid, other] = [expect.any(Number), expect.any(Number)];
    expect(told).toEqual([
      { type: "process:started", id: "x", fqn: "shop/dev/x", pid },
      { type: "process:exited", id: "x", fqn: "shop/dev/x", pid, exitCode: 3 },
      { type: "process:started", id: "y", fqn: "shop/dev/y", pid: other },
      { type: "process:exited", id: "y", fqn: "shop/dev/y", pid: other, exitCode: null },
    ]);
  });
});

describe("exec rejects", () => {
  it.each([
    ["a program that is missing", ["no-such-program"], {}, "COMMAND_FAILED", "no-such-program ENOENT"],
    ["a folder that is missing", "true", { cwd: "nowhere" }, "COMMAND_FAILED", "there is no such folder"],
    ["no command", undefined, {}, "INVALID_CALL", "not undefined"],
    ["a command that is too long", ["echo", "a".repeat(9e6)], {}, "COMMAND_FAILED", 'command "echo … (arguments: 1)"'],
    ["a blank command", " ", {}, "INVALID_CALL", "not an empty string"],
    ["a NUL in the command", ["echo", "a\0b"], {}, "INVALID_CALL", "NUL"],
    ["a variable that is no text", "true", { env: { A: 1 } }, "INVALID_CALL", '"A" must be a string'],
    ["a time limit that is none", "true", { timeout: -1 }, "INVALID_CALL", "The timeout of exec()"],
  ])("%s, and says so", async (_what, command, options, code, message) => {
    const app = await open({ rootDir: await newRoot() });
    const error = await rejection(Reflect.apply(app.exec, app, ["x", command, options]));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message), fqn: "shop/dev/x" });
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError", errors: [error] });
  });

  it("what is aborted by its signal, before and while it runs", async () => {
    const rootDir = await newRoot();
    const app = await open({ rootDir });
    const early = rejection(app.exec("x", "echo $$ > early", { signal: AbortSignal.abort(new Error("no more")) }));
    expect(await early).toMatchObject({ code: "ABORTED", message: expect.stringContaining("no more") });
    const controller = new AbortController();
    const running = rejection(app.exec("y", "echo $$ > pid; sleep 1000", { signal: controller.signal }));
    const pid = await pidIn(join(rootDir, "pid"));
    controller.abort();
    expect(await running).toMatchObject({ code: "ABORTED" });
    expect(isAlive(pid)).toBe(false);
    expect(await readFile(join(rootDir, "early"), "utf8").catch(() => "absent")).toBe("absent");
  });

  it("what an interrupted run was at, and starts nothing more", async () => {
    const rootDir = await newRoot();
    const controller = new AbortController();
    const app = await open({ rootDir, signal: controller.signal });
    const running = rejection(app.exec("y", "echo $$ > pid; sleep 1000"));
    const pid = await pidIn(join(rootDir, "pid"));
    controller.abort();
    const error = await running;
    expect(error).toMatchObject({ code: "ABORTED" });
    expect(isAlive(pid)).toBe(false);
    expect(await rejection(app.exec("z", "echo $$ > late"))).toBe(error);
    expect(await readFile(join(rootDir, "late"), "utf8").catch(() => "absent")).toBe("absent");
    await rejection(app.finalize());
  });
});

describe("exec is work of the run:", () => {
  it("finalize waits for what was not awaited", async () => {
    const rootDir = await newRoot();
    const app = await open({ rootDir });
    void app.exec("x", "sleep 0.2; echo 1 > done");
    await app.finalize();
    expect(await pidIn(join(rootDir, "done"))).toBe(1);
  });

  it("a failure that is not awaited fails the run, and nothing is pruned", async () => {
    const app = await open({ rootDir: await newRoot() });
    void app.exec("x", ["no-such-program"]);
    expect(await rejection(app.finalize())).toMatchObject({ errors: [{ code: "COMMAND_FAILED", fqn: "shop/dev/x" }] });
  });

  it("it comes too late when the run has ended", async () => {
    const app = await open({ rootDir: await newRoot() });
    await app.finalize();
    expect(await rejection(app.exec("x", "true"))).toMatchObject({ code: "NO_SCOPE" });
    await app.run(async () => expect((await app.exec("x", "true")).exitCode).toBe(0));
    await app.finalize();
  });

  it("it is refused in the phase read", async () => {
    const app = await open({ rootDir: await newRoot(), phase: "read" });
    expect(await rejection(app.exec("x", "true"))).toMatchObject({
      code: "READ_ONLY",
      message: expect.stringContaining('exec() of "shop/dev/x" is refused in a run that only reads'),
    });
    await rejection(app.finalize());
  });

  it("it is refused in a plan, which says so", async () => {
    const rootDir = await newRoot();
    const planning = engine.plan("shop", { stage: "dev", stateStore: memoryStore(), rootDir }, (app) =>
      app.exec("x", "touch done"),
    );
    expect(await rejection(planning)).toMatchObject({ errors: [{ code: "READ_ONLY", fqn: "shop/dev/x" }] });
    expect(await stat(join(rootDir, "done")).catch(() => "absent")).toBe("absent");
  });

  it("it starts nothing in the phase destroy, and goes on as if all were well", async () => {
    const rootDir = await newRoot();
    const app = await open({ rootDir, phase: "destroy" });
    const { exitCode, stdout } = await app.exec("x", "touch done");
    expect(exitCode).toBe(0);
    expect(() => Number(stdout)).toThrow("shop/dev/x.stdout is not known yet");
    await app.finalize();
    expect(await stat(join(rootDir, "done")).catch(() => "absent")).toBe("absent");
  });

  it("a scope of its own has the name in its place", async () => {
    const rootDir = await newRoot();
    const app = await open({ rootDir });
    await app.run(() => engine.run("web", (web) => web.exec("x", "echo hi")));
    expect(await readFile(join(rootDir, ".engine/logs/shop/dev/web/x.log"), "utf8")).toContain("hi");
  });
});
