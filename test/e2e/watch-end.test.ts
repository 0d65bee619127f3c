import { afterEach, describe, expect, it } from "vitest";
import { type CliSession, startSession } from "../helpers/cli-session.ts";
import { engineProject, lacksPackage, main, type Project } from "../helpers/engine-project.ts";
import { isGone } from "../helpers/gone.ts";
import { stateIn } from "../helpers/state-in.ts";
import { lacksTerminal, openTerminal, type Terminal } from "../helpers/terminal.ts";
import { describeUnless } from "../servers/given.ts";

/** @param hears what its handler does when it is told to end */
const program = (hears: "settles" | "ignores"): string => `
import { engine, Resource } from "scope-engine";

const Slow = Resource("test:Slow", {
  async create({ id, signal }) {
    const busy = setInterval(() => {}, 1000);
    console.log("pid", process.pid);
    await new Promise((resolve) => signal.addEventListener("abort", ${hears === "settles" ? "resolve" : "() => {}"}));
    clearInterval(busy);
    console.log("settled");
    return { id };
  },
});
const app = await engine("ended");
app.onCleanup(() => console.log("cleaned"));
await Slow("thing", {});
await app.finalize();
`;
const QUICK = 'console.log("done", process.pid);';

let project: Project;
let session: CliSession | undefined;
let terminal: Terminal | undefined;

afterEach(async () => {
  await session?.leave();
  await terminal?.close();
  [session, terminal] = [undefined, undefined];
  await project.remove();
});

async function start(text: string, name = "engine.run.ts"): Promise<CliSession> {
  project = await engineProject({ [name]: text });
  session = startSession(project, ["watch"]);
  return session;
}

describe.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s to the session alone", (signal, code) => {
  it(`reaches the program, which ends cleanly, and gives exit code ${code}`, async () => {
    const watch = await start(program("settles"));
    await watch.next("pid ");
    watch.process.kill(signal);
    await watch.next("settled");
    await watch.next("cleaned");
    expect(await watch.ended).toEqual({ code, signal: null });
    expect(watch.output).not.toContain("watching");
    expect(await stateIn(project.folder, "ended")).toEqual({ recorded: ["thing"], pending: [], isOpen: false });
  });

  it(`between two runs ends the session with ${code}`, async () => {
    const watch = await start(QUICK, "engine.run.js");
    await watch.next("watching ");
    watch.process.kill(signal);
    expect(await watch.ended).toEqual({ code, signal: null });
  });

  it("to the whole group counts once", async () => {
    const watch = await start(program("settles"));
    await watch.next("pid ");
    process.kill(-(watch.process.pid ?? 0), signal);
    await watch.next("settled");
    expect(await watch.ended).toEqual({ code, signal: null });
    expect(watch.output).not.toContain("interrupted again");
  });
});

describe("a session", () => {
  it("is ended at once by a second SIGINT, whatever the program does", async () => {
    const deaf = 'process.on("SIGINT", () => console.log("no")); setInterval(() => {}, 9); console.log("ready");';
    const watch = await start(deaf, "engine.run.js");
    await watch.next("ready");
    watch.process.kill("SIGINT");
    await watch.next("no");
    watch.process.kill("SIGINT");
    expect(await watch.ended).toEqual({ code: 130, signal: null });
  });

  it("that was killed takes the program with it, which ends as if it was interrupted", async () => {
    const watch = await start(program("settles"));
    const pid = Number(await watch.next("pid "));
    watch.process.kill("SIGKILL");
    await watch.next("cleaned");
    await isGone(pid);
    expect(await stateIn(project.folder, "ended")).toEqual({ recorded: ["thing"], pending: [], isOpen: false });
  });
});

describeUnless(lacksTerminal ?? lacksPackage, "Ctrl-C in a terminal", () => {
  const watchIn = async (text: string): Promise<Terminal> => {
    project = await engineProject({ "engine.run.ts": text });
    terminal = await openTerminal([process.execPath, main, "watch"], { cwd: project.folder });
    return terminal;
  };

  it("lets the run end cleanly, and ends the session", async () => {
    const pane = await watchIn(program("settles"));
    await pane.shows("pid ");
    await pane.press("C-c");
    const screen = await pane.shows("ended with 130");
    expect(screen).toMatch(/interrupted: waits for the handlers at work \(ended\/dev\/thing\).*settled.*cleaned/s);
    expect(screen).not.toContain("interrupted again");
    expect(await stateIn(project.folder, "ended")).toEqual({ recorded: ["thing"], pending: [], isOpen: false });
  });

  it("pressed twice ends both at once", async () => {
    const pane = await watchIn(program("ignores"));
    await pane.shows("pid ");
    await pane.press("C-c");
    await pane.shows("interrupted: waits for the handlers at work");
    await pane.press("C-c");
    const screen = await pane.shows("ended with 130");
    expect(screen).toContain("interrupted again: ends now");
    expect(await stateIn(project.folder, "ended")).toMatchObject({ pending: ["thing"], isOpen: true });
  });

  it("between two runs ends the session", async () => {
    const pane = await watchIn('console.log("terminal", process.stdout.isTTY);');
    expect(await pane.shows("watching 1 file for changes (Ctrl-C ends the session)")).toContain("terminal true");
    await pane.press("C-c");
    await pane.shows("ended with 130");
  });

  it("does not pull a question from under whoever answers it: a change waits until then", async () => {
    const many = (ids: readonly string[]): string => `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";

const app = await engine("asking", { maxDeletes: 0 });
for (const id of ${JSON.stringify(ids)}) await File(id, { path: id, content: id });
await app.finalize();
`;
    const pane = await watchIn(many(["one.txt", "two.txt"]));
    await pane.shows("watching 1 file");
    await project.write("engine.run.ts", many(["one.txt"]));
    await pane.shows("Delete this resource? [y/N]");
    await project.write("engine.run.ts", many(["one.txt", "three.txt"]));
    await pane.shows(/Delete this resource.*changed: engine.run.ts/s);
    expect((await pane.history()).join("\n")).not.toContain("three.txt");
    await pane.press("y");
    await pane.press("Enter");
    await pane.shows(/asking\/dev\/three.txt.*Delete this resource/s);
  });
});
