import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { engineProject, type Project } from "../helpers/processes/engine-project.ts";
import { isAlive } from "../helpers/processes/processes.ts";
import { type CliSession, startSession } from "../helpers/terminal/cli-session.ts";
import { until } from "../helpers/time/until.ts";

const PROGRAM = `
import { engine } from "scope-engine";

const app = await engine("spawning");
const code = "console.log('pid', process.pid); setInterval(() => {}, 1000);";
const extract = (line: string) => (line.startsWith("pid ") ? line : undefined);
console.log("server", await app.spawn("server", { command: process.execPath, args: ["-e", code], extract }));
await app.finalize();
`;

let project: Project;
let session: CliSession;

afterEach(async () => {
  await session.leave();
  await project.remove();
});

async function start(): Promise<number> {
  project = await engineProject({ "engine.run.ts": PROGRAM });
  session = startSession(project, ["watch"]);
  const pid = Number(await session.next("server pid "));
  await session.next("watching ");
  return pid;
}

it("a spawned process lives on from run to run, and ends with the session", async () => {
  const pid = await start();
  await project.write("engine.run.ts", `${PROGRAM}// again`);
  expect(Number(await session.next("server pid "))).toBe(pid);
  await session.next("watching ");
  expect(process.kill(pid, 0)).toBe(true);
  session.process.kill("SIGINT");
  expect(await session.ended).toEqual({ code: 130, signal: null });
  await until(() => !isAlive(pid));
});

it("a plain run of the same stage uses it meanwhile, and leaves it to the session", async () => {
  const pid = await start();
  const { code, stdout } = await project.engineWith({ ENGINE_STAGE: "dev" }, "up");
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`server pid ${pid}`) });
  expect(process.kill(pid, 0)).toBe(true);
  session.process.kill("SIGINT");
  await session.ended;
  await until(() => !isAlive(pid));
});

it("a process that the program spawns no more ends with the next run", async () => {
  const pid = await start();
  await project.write("engine.run.ts", PROGRAM.replace(/console.log\("server".*/, ""));
  await session.next("watching ");
  await until(() => !isAlive(pid));
});

it("a program whose session was killed ends the processes of the session", async () => {
  const pid = await start();
  await project.write("engine.run.ts", `${PROGRAM}console.log("stays"); setInterval(() => {}, 1000);`);
  await session.next("stays");
  session.process.kill("SIGKILL");
  await until(() => !isAlive(pid));
});

it("a session that was killed while nothing ran takes its processes along", async () => {
  const pid = await start();
  session.process.kill("SIGKILL");
  await until(() => !isAlive(pid));
});

it("a second Ctrl-C ends the processes of the session at once, though they ignore SIGTERM", async () => {
  const stubborn = PROGRAM.replace('"console.log', `"process.on('SIGTERM', () => {}); console.log`);
  project = await engineProject({ "engine.run.ts": stubborn });
  session = startSession(project, ["watch"]);
  const pid = Number(await session.next("server pid "));
  await session.next("watching ");
  session.process.kill("SIGINT");
  await until(() => recorded().includes("turn"));
  session.process.kill("SIGINT");
  expect(await session.ended).toEqual({ code: 130, signal: null });
  expect(isAlive(pid)).toBe(false);
});

/** Names of the files that record processes: a file has a marker beside it while its process is ended. */
function recorded(): string {
  return readdirSync(join(project.folder, ".engine/processes"), { recursive: true }).join();
}
