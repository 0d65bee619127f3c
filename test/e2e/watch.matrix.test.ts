import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { engineProject, type Project } from "../helpers/processes/engine-project.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { type CliSession, startSession } from "../helpers/terminal/cli-session.ts";

const PROGRAM = `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";
import { text } from "./src/text.js";

const app = await engine("watched");
console.log("run", text, app.watch, app.local, process.env.ENGINE_SESSION, process.argv.slice(2).join(" "));
await File("page", { path: "page.txt", content: text as string });
await app.finalize();
`;
const WAITS = "watching ";

let project: Project;
let session: CliSession;

async function start(command: string, files: Record<string, string>, args: readonly string[] = []): Promise<void> {
  project = await engineProject(files);
  session = startSession(project, [command, ...args]);
}

afterEach(async () => {
  await session.leave();
  await project.remove();
});

const files = { "engine.run.ts": PROGRAM, "src/text.ts": 'export const text: string = "one";' };

describe("engine watch", () => {
  it("runs the program again when a file that it is made of is written", async () => {
    await start("watch", files);
    expect(await session.next("run ")).toMatch(/^one true false /);
    expect(await session.next(WAITS)).toBe("2 files for changes (Ctrl-C ends the session)");
    await project.write("src/text.ts", 'export const text: string = "two";');
    expect(await session.next("changed: ")).toBe("src/text.ts");
    expect(await session.next("run ")).toMatch(/^two /);
    await session.next(WAITS);
    expect(await readFile(join(project.folder, "page.txt"), "utf8")).toBe("two");
  });

  it("gives every run of a session the same ENGINE_SESSION, and the arguments behind --", async () => {
    await start("watch", files, ["--force", "--", "mine"]);
    const [first, second] = [await session.next("run "), ""];
    await session.next(WAITS);
    await project.write("src/text.ts", 'export const text: string = "one" + "";');
    const [, , , id, ...args] = first.split(" ");
    expect(id).toMatch(/^\d+\.\d*\.[0-9a-f-]{36}$/);
    expect(args).toEqual(["--watch", "--force", "--", "mine"]);
    expect(second + (await session.next("run "))).toBe(first);
  });

  it("is local as engine dev", async () => {
    await start("dev", files);
    expect(await session.next("run ")).toMatch(/^one true true /);
  });

  it("continues after a program with a fault, and watches the old files and the faulty one", async () => {
    await start("watch", { ...files, "src/text.ts": "export const text = ;" });
    await session.next("text.ts:1:21: Unexpected token");
    await session.next("the program failed (exit code 1)");
    expect(await session.next(WAITS)).toMatch(/^2 files/);
    await project.write("src/text.ts", 'export { text } from "./more.js";');
    await session.next('Cannot find "./more.js"');
    await session.next(WAITS);
    await project.write("src/more.ts", 'export const text: string = "more";');
    expect(await session.next("changed: ")).toBe("src/more.ts");
    expect(await session.next("run ")).toMatch(/^more /);
  });

  it("goes on after a resource that failed, and after a program that crashed", async () => {
    await start("watch", { ...files, "engine.run.ts": PROGRAM.replace('"page.txt"', '"/proc/none/page.txt"') });
    await session.next("FAILED ");
    await session.next("the program failed (exit code 1)");
    await session.next(WAITS);
    await project.write("engine.run.ts", 'process.kill(process.pid, "SIGKILL");');
    await session.next("the program was ended by SIGKILL");
    await session.next(WAITS);
    await project.write("engine.run.ts", PROGRAM);
    await session.next("run one");
  });

  it("waits for a program whose file was deleted", async () => {
    await start("watch", files);
    await session.next(WAITS);
    await rm(join(project.folder, "engine.run.ts"));
    expect(await session.next("changed: ")).toBe("engine.run.ts");
    await session.next('"engine.run.ts" does not exist');
    await session.next(WAITS);
    await project.write("engine.run.ts", PROGRAM);
    await session.next("run one");
  });

  it("refuses to start without a program", async () => {
    await start("watch", {});
    expect(await session.ended).toEqual({ code: 1, signal: null });
    expect(session.output).toMatch(/^error {4}Nothing to run: .*\[INVALID_ARGUMENT\]$/m);
  });

  it("watches .env, and files that a JavaScript program imports when it needs them", async () => {
    const program = 'console.log("got", process.env.COLOR, (await import("./late.js")).late);';
    await start("watch", { "engine.run.js": program, "late.js": "export const late = 1;", "package.json": "{}" });
    expect(await session.next("got ")).toBe("undefined 1");
    await session.next(WAITS);
    await project.write(".env", "COLOR=red");
    expect(await session.next("changed: ")).toBe(".env");
    expect(await session.next("got ")).toBe("red 1");
    await session.next(WAITS);
    await project.write("late.js", "export const late = 2;");
    expect(await session.next("got ")).toBe("red 2");
  });

  it("misses no change that is made while the program starts", async () => {
    const program = `
import { readFileSync, writeFileSync } from "node:fs";
import { count } from "./count.js";

console.log("count", count);
if (count < 3) writeFileSync("count.js", "export const count = " + (count + 1) + ";");
`;
    await start("watch", { "engine.run.js": program, "count.js": "export const count = 1;", "package.json": "{}" });
    await session.next("count 2");
    await session.next("count 3");
    expect(await session.next(WAITS)).toMatch(/^2 files/);
  });

  it("prints nothing of its own on standard output", async () => {
    project = await engineProject(files);
    session = startSession(project, ["watch", "--json"], { hears: "stdout" });
    await session.next('"run:finished"');
    await project.write("src/text.ts", 'export const text: string = "two";');
    await session.next('"run:finished"');
    const lines = session.output.split("\n").filter((line) => line !== "" && !line.startsWith("run "));
    expect(lines.map((line) => JSON.parse(line).type)).toContain("run:finished");
  });
});

const SLOW = `
import { engine, Resource } from "scope-engine";

const Slow = Resource("test:Slow", {
  async create({ id, signal }) {
    console.log("creating", id);
    const busy = setInterval(() => {}, 1000);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    clearInterval(busy);
    console.log("settled", id, signal.reason.message);
    return { id };
  },
});
const app = await engine("slow");
await Slow("thing", {});
await app.finalize();
`;

describe("a change while the program runs", () => {
  it("ends the run cleanly first: its handlers settle, their results are recorded, the lock is free", async () => {
    await start("watch", { "engine.run.ts": SLOW });
    await session.next("creating thing");
    await project.write("engine.run.ts", SLOW.replace("creating", "CREATING"));
    await session.next("changed: engine.run.ts");
    expect(await session.next("settled thing ")).toBe("The program's files have changed.");
    await session.next("slow/dev up done");
    expect(session.output).not.toMatch(/CREATING|STATE_LOCKED|taken over|resuming/);
    expect(await stateIn(project.folder, "slow")).toEqual({ recorded: ["thing"], pending: [], isOpen: false });
  });

  it("ends a program that stays after its run, with its cleanup", async () => {
    const server = `
import { engine } from "scope-engine";

const app = await engine("server");
app.onCleanup(() => console.log("cleaned"));
await app.finalize();
setInterval(() => {}, 1000);
console.log("serving");
`;
    await start("watch", { "engine.run.ts": server });
    await session.next("serving");
    await project.write("engine.run.ts", `${server}\n// again`);
    await session.next("cleaned");
    await session.next("serving");
  });

  it("ends one that has no run by SIGTERM, and kills it if it does not obey within 5 s", async () => {
    const deaf = (word: string): string =>
      `process.on("SIGTERM", () => console.log("told")); setInterval(() => {}, 1000); console.log("${word}");`;
    await start("watch", { "engine.run.js": deaf("first") });
    await session.next("first");
    await project.write("engine.run.js", deaf("second"));
    await session.next("told");
    await session.next("the program did not end within 5 s and is killed");
    await session.next("second");
  });

  it("kills one that does not give its turn away", async () => {
    await start("watch", { "engine.run.js": 'console.log("busy"); for (;;);' });
    await session.next("busy");
    await project.write("engine.run.js", 'console.log("free");');
    await session.next("and is killed");
    await session.next("free");
  });
});
