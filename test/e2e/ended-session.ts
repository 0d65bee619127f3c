/** Sessions of `engine watch` that get a request to end. */
import { afterEach, expect, it } from "vitest";
import { engineProject, type Project } from "../helpers/processes/engine-project.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { type CliSession, startSession } from "../helpers/terminal/cli-session.ts";

/**
 * A program whose handler works until it gets a request to end.
 *
 * @param hears how the handler reacts to that
 */
export const program = (hears: "settles" | "ignores"): string => `
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
/** A program that ends at once. */
export const QUICK = 'console.log("done", process.pid);';

/** Of the current test. */
export let project: Project;
let session: CliSession | undefined;

/** Closes the session and removes the project of each test. */
export function sessionEach(): void {
  afterEach(async () => {
    await session?.leave();
    session = undefined;
    await project.remove();
  });
}

/** A project with this program, which is not running yet. */
export async function make(text: string, name = "engine.run.ts"): Promise<Project> {
  project = await engineProject({ [name]: text });
  return project;
}

export async function start(text: string, name?: string): Promise<CliSession> {
  session = startSession(await make(text, name), ["watch"]);
  return session;
}

export function reachesTheProgram(signal: "SIGINT" | "SIGTERM", code: number): void {
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
}
