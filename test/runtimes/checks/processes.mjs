/** Commands and processes that a run starts, and programs as processes of their own. */
import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { engine, memoryStore } from "scope-engine";
import { greeting, lonely, pair, runFile, slow } from "./programs.mjs";

const quiet = { stage: "t", argv: [], env: {}, quiet: true, noTrack: true };
const home = new URL("..", import.meta.url);
const onWindows = process.platform === "win32";
/** Windows has no signals, and programs need some variables of its own. */
const surroundings = onWindows ? process.env : { PATH: process.env.PATH, HOME: process.env.HOME, USER: "tester" };

/** @param failed whether the run fails in the end because something in it did */
async function withApp(body, failed = false) {
  const rootDir = await mkdtemp(join(tmpdir(), "scope-engine-processes-"));
  const app = await engine("shop", { ...quiet, rootDir, stateStore: memoryStore() });
  try {
    await body(app, rootDir);
  } finally {
    if (failed) await rejects(app.finalize(), { name: "RunFailedError" });
    else await app.finalize();
    await rm(rootDir, { recursive: true, force: true });
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(holds, what) {
  // As long as the tests wait (test/helpers/time/until.ts), which no runtime but Node can load.
  for (const end = performance.now() + 60_000; performance.now() < end; await wait(5)) if (await holds()) return;
  throw new Error(`It never came to this: ${what}`);
}

/** A program next to the suite, so that it finds the package. */
async function program(name, source) {
  const file = new URL(`${name}-${process.pid}.mjs`, home);
  await writeFile(file, source);
  return fileURLToPath(file);
}

function start(file, args, cwd, env = {}) {
  const [command, ...before] = runFile;
  const child = spawn(command, [...before, file, ...args], {
    cwd,
    env: { ...surroundings, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { child, ended: ended.then(([stdout, stderr, [code]]) => ({ code, stdout, stderr })) };
}

export function define({ describe, it }) {
  describe("exec", () => {
    it("resolves with the exit code and the output, however fast the command is", () =>
      withApp(async (app) => {
        const file = await program("fast", 'console.log("out"); console.error("err"); process.exitCode = 3;');
        const result = await app.exec("fast", [...runFile, file]);
        deepEqual(result, { exitCode: 3, stdout: "out\n", stderr: "err\n" });
        await rm(file);
      }));

    it("takes a line for the shell, variables and secrets, and writes a redacted log", () =>
      withApp(async (app, rootDir) => {
        const env = { KEY: engine.secret("s3cr3t-value") };
        const { stdout } = await app.exec("log", onWindows ? "echo a  b %KEY%" : 'echo "a  b $KEY"', { env });
        equal(stdout.trimEnd(), "a  b s3cr3t-value");
        const files = await readdir(join(rootDir, ".engine/logs"), { recursive: true });
        const log = files.find((name) => name.endsWith("log.log"));
        const written = await readFile(join(rootDir, ".engine/logs", log), "utf8");
        match(written, /a {2}b/);
        ok(!written.includes("s3cr3t-value"), written);
      }));

    it("ends a command that takes too long, with all that it started", () =>
      withApp(async (app, rootDir) => {
        const [file, other] = [await program("pair", pair), await program("lonely", lonely)];
        const late = app.exec("late", [...runFile, file, other], { timeout: 2_000 });
        await rejects(late, { code: "TIMEOUT" });
        const log = await readFile(join(rootDir, ".engine/logs/shop/t/late.log"), "utf8");
        const pids = /pids (\d+) (\d+)/.exec(log).slice(1).map(Number);
        await until(() => !pids.some(alive), "both have ended");
        for (const one of [file, other]) await rm(one);
      }, true));

    it("runs programs that npm installs by their names", () =>
      withApp(async (app) => {
        const { exitCode, stdout } = await app.exec("npm", ["npm", "--version"]);
        equal(exitCode, 0);
        match(stdout, /^\d+\.\d+\.\d+/);
      }));

    it("says which command cannot be started", () =>
      withApp((app) => rejects(app.exec("none", ["no-such-command-here"]), { code: "COMMAND_FAILED" }), true));
  });

  describe("spawn", () => {
    it("resolves with a value from a line, keeps one process, and ends it with the run", async () => {
      let pid;
      const file = await program("server", `console.log("pid", process.pid); ${lonely}`);
      await withApp(async (app) => {
        const [command, ...before] = runFile;
        const options = { command, args: [...before, file], extract: (line) => /pid (\d+)/.exec(line)?.[1] };
        pid = Number(await app.spawn("server", options));
        equal(Number(await app.spawn("server", options)), pid);
        ok(alive(pid));
      });
      await until(() => !alive(pid), "the process has ended");
      await rm(file);
    });

    it("rejects with the last lines where the process ends first", () =>
      withApp(async (app) => {
        const file = await program("broken", 'console.log("broken"); process.exitCode = 1;');
        const [command, ...before] = runFile;
        const options = { command, args: [...before, file], extract: () => undefined };
        await rejects(app.spawn("broken", options), (error) => {
          equal(error.code, "PROCESS_FAILED");
          match(error.message, /broken/);
          return true;
        });
        await rm(file);
      }, true));
  });

  describe("a program", () => {
    it("follows its arguments, and ends by itself", async () => {
      const cwd = await mkdtemp(join(tmpdir(), "scope-engine-program-"));
      const file = await program("greeting", greeting);
      const first = await start(file, ["--stage", "prod"], cwd).ended;
      deepEqual([first.code, first.stderr], [0, ""]);
      match(first.stdout, /1 created/);
      equal(await readFile(join(cwd, "hello.txt"), "utf8"), "prod");
      const events = await start(file, ["--stage=prod", "--json"], cwd).ended;
      const types = events.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).type);
      deepEqual([types[0], types.at(-1)], ["run:started", "run:finished"]);
      const last = await start(file, ["--stage=prod", "--destroy"], cwd).ended;
      deepEqual([last.code, last.stderr], [0, ""]);
      await rejects(readFile(join(cwd, "hello.txt")));
      await rm(cwd, { recursive: true });
      await rm(file);
    });

    it("ends cleanly when it is interrupted, and says so by its exit code", async () => {
      const file = await program("slow", slow);
      // Signals cannot be sent there; a Ctrl-C reaches all processes of the console.
      for (const [signal, code] of [
        ["SIGINT", 130],
        ["SIGTERM", 143],
      ].slice(onWindows ? 2 : 0)) {
        const cwd = await mkdtemp(join(tmpdir(), "scope-engine-program-"));
        const { child, ended } = start(file, [], cwd);
        await once(child.stdout, "data");
        // With child.kill(), Deno would report the signal instead of the exit code.
        process.kill(child.pid, signal);
        const result = await ended;
        equal(result.code, code, result.stderr);
        const left = await start(file, ["--destroy"], cwd).ended;
        equal(left.code, 0, left.stderr);
        await rm(cwd, { recursive: true });
      }
      await rm(file);
    });

    it("fails where a resource has failed", async () => {
      const file = await program("failing", greeting.replace('"hello.txt"', '"/dev/null/x"'));
      const cwd = await mkdtemp(join(tmpdir(), "scope-engine-program-"));
      const { code, stderr } = await start(file, [], cwd).ended;
      equal(code, 1);
      match(stderr, /hello/);
      await rm(cwd, { recursive: true });
      await rm(file);
    });
  });

  describe("the engine program", () => {
    const main = fileURLToPath(new URL("plugins/cli/main.js", new URL("../", import.meta.resolve("scope-engine"))));

    it("says its version, and runs a TypeScript program", async () => {
      const cwd = await mkdtemp(join(fileURLToPath(home), "cli-"));
      await writeFile(join(cwd, "package.json"), '{ "type": "module" }');
      await writeFile(
        join(cwd, "engine.run.ts"),
        `const stage: string = "typed";\n${greeting.replace("app.stage", "stage")}`,
      );
      match((await start(main, ["--version"], cwd).ended).stdout, /^\d+\.\d+\.\d+/m);
      const up = await start(main, ["up"], cwd).ended;
      deepEqual([up.code, up.stderr], [0, ""]);
      equal(await readFile(join(cwd, "hello.txt"), "utf8"), "typed");
      const planned = await start(main, ["plan"], cwd).ended;
      deepEqual([planned.code, planned.stderr], [0, ""]);
      const destroyed = await start(main, ["destroy", "--yes"], cwd).ended;
      deepEqual([destroyed.code, destroyed.stderr], [0, ""]);
      await rm(cwd, { recursive: true });
    });
  });
}
