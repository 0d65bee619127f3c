import { afterEach, describe, expect, it } from "vitest";
import { lacksPackage, main } from "../helpers/processes/engine-project.ts";
import { isAlive } from "../helpers/processes/processes.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { lacksTerminal, openTerminal, type Terminal } from "../helpers/terminal/terminal.ts";
import { until } from "../helpers/time/until.ts";
import { describeUnless } from "../servers/given.ts";
import { make, program, project, QUICK, reachesTheProgram, sessionEach, start } from "./ended-session.ts";

let terminal: Terminal | undefined;

sessionEach();
afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
});

describe("SIGTERM to the session alone", () => reachesTheProgram("SIGTERM", 143));

describe.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s to the session", (signal, code) => {
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
  it("that was killed takes the program with it, which ends as if it was interrupted", async () => {
    const watch = await start(program("settles"));
    const pid = Number(await watch.next("pid "));
    watch.process.kill("SIGKILL");
    await watch.next("cleaned");
    await until(() => !isAlive(pid));
    expect(await stateIn(project.folder, "ended")).toEqual({ recorded: ["thing"], pending: [], isOpen: false });
  });

  it("is ended at once by a second SIGINT, whatever the program does", async () => {
    const deaf = 'process.on("SIGINT", () => console.log("no")); setInterval(() => {}, 9); console.log("ready");';
    const watch = await start(deaf, "engine.run.js");
    await watch.next("ready");
    watch.process.kill("SIGINT");
    await watch.next("no");
    watch.process.kill("SIGINT");
    expect(await watch.ended).toEqual({ code: 130, signal: null });
  });
});

describeUnless(lacksTerminal ?? lacksPackage, "Ctrl-C in a terminal", () => {
  const watchIn = async (text: string): Promise<Terminal> => {
    const { folder } = await make(text);
    terminal = await openTerminal([process.execPath, main, "watch"], { cwd: folder });
    return terminal;
  };

  it("lets the run end cleanly, and ends the session", async () => {
    const pane = await watchIn(program("settles"));
    await pane.shows("pid ");
    await pane.press("C-c");
    const screen = await pane.shows("ended with 130");
    expect(screen).toMatch(/interrupted: waiting for the running handlers \(ended\/dev\/thing\).*settled.*cleaned/s);
    expect(screen).not.toContain("interrupted again");
    expect(await stateIn(project.folder, "ended")).toEqual({ recorded: ["thing"], pending: [], isOpen: false });
  });

  it("pressed twice ends both at once", async () => {
    const pane = await watchIn(program("ignores"));
    await pane.shows("pid ");
    await pane.press("C-c");
    await pane.shows("interrupted: waiting for the running handlers");
    await pane.press("C-c");
    const screen = await pane.shows("ended with 130");
    expect(screen).toContain("interrupted again: ending now");
    expect(await stateIn(project.folder, "ended")).toMatchObject({ pending: ["thing"], isOpen: true });
  });

  it("between two runs ends the session", async () => {
    const pane = await watchIn('console.log("terminal", process.stdout.isTTY);');
    expect(await pane.shows("watching 1 file for changes (Ctrl-C ends the session)")).toContain("terminal true");
    await pane.press("C-c");
    await pane.shows("ended with 130");
  });

  it("does not withdraw a question while the user answers it: a change waits until then", async () => {
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
