import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project, plainEnv } from "../helpers/engine-project.ts";
import { stateIn } from "../helpers/state-in.ts";
import { timed } from "../helpers/timed.js";
import { describeUnless } from "../servers/given.ts";
import { COUNT, interruptedProgram } from "./interrupted-program.ts";
import { isLong, numbers } from "./sampling.ts";

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof CODES;
const ROUNDS = isLong ? 1_000 : 100;

let project: Project;
beforeAll(async () => {
  project = await engineProject({ "program.mjs": interruptedProgram });
});
afterAll(() => project.remove());

interface LogLine {
  readonly what: string;
  /** Such as `create:r1`. */
  readonly about: string;
  readonly at: number;
}

async function logged(): Promise<readonly LogLine[]> {
  const lines = (await readFile(join(project.folder, "log.txt"), "utf8")).trim().split("\n");
  return lines.map((line) => {
    const [what = "", ...rest] = line.split(" ");
    return { what, about: rest.length > 1 ? (rest[0] ?? "") : "", at: Number(rest.at(-1)) };
  });
}

interface Run {
  readonly child: ReturnType<typeof spawn>;
  /** Resolves when it has logged such a line, or has ended. */
  logs(what: string): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string; readonly lasted: number }>;
}

async function start(...args: readonly string[]): Promise<Run> {
  await rm(join(project.folder, "log.txt"), { force: true });
  await appendFile(join(project.folder, "log.txt"), "");
  const began = performance.now();
  const child = spawn(process.execPath, ["program.mjs", ...args], {
    cwd: project.folder,
    env: plainEnv(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  let isOver = false;
  const ended = once(child, "close").then(() => {
    isOver = true;
    return { code: child.exitCode, output, lasted: performance.now() - began };
  });
  const logs = async (what: string): Promise<void> => {
    while (!isOver && !(await logged()).some((line) => line.what === what)) await pause(2);
  };
  return { child, logs, ended };
}

/** What has to be recorded after each of the handlers that ended, beginning with what was. */
function expected(before: readonly string[], log: readonly LogLine[]): readonly string[] {
  const recorded = new Set(before);
  for (const { about } of log.filter(({ what }) => what === "end")) {
    const [phase, id = ""] = about.split(":");
    if (phase === "delete") recorded.delete(id);
    else recorded.add(id);
  }
  return [...recorded].sort();
}

const KINDS = [["create"], ["change"], ["destroy", "--destroy"]] as const;

/** Milliseconds from the first line of a run that nobody disturbs to its last one, by its kind. */
async function durations(): Promise<ReadonlyMap<string, number>> {
  const lasts = new Map<string, number>();
  for (const [kind, ...flags] of KINDS) {
    await prepare(kind);
    const { ended } = await start(kind, ...flags);
    expect((await ended).code).toBe(0);
    const log = await logged();
    lasts.set(kind, (log.at(-1)?.at ?? 0) - (log[0]?.at ?? 0));
  }
  return lasts;
}

/** The state that a run of this kind begins with. */
async function prepare(kind: string): Promise<readonly string[]> {
  await rm(join(project.folder, ".engine"), { recursive: true, force: true });
  if (kind === "create") return [];
  const { ended } = await start("create");
  expect((await ended).code).toBe(0);
  return Array.from({ length: COUNT }, (_, n) => `r${n}`).sort();
}

describeUnless(lacksPackage, "a signal at a random instant of a run", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    `(%s) starts no handler any more, records what was done, frees the lock and ends with its code`,
    { timeout: ROUNDS * 5_000 },
    async (signal: Signal) => {
      const random = numbers(signal);
      const lasts = await durations();
      let interrupted = 0;
      for (let round = 0; round < ROUNDS / 2; round++) {
        const [kind, ...flags] = KINDS[round % KINDS.length] ?? KINDS[0];
        const before = await prepare(kind);
        const run = await start(kind, ...flags);
        await run.logs("ready");
        const delay = random() * (lasts.get(kind) ?? 0);
        await pause(delay);
        run.child.kill(signal);
        const { code, output, lasted } = await run.ended;
        const log = await logged();
        const told = log.find(({ what }) => what === "signal")?.at ?? Number.POSITIVE_INFINITY;
        const context = `round ${round}, ${kind}, ${signal} after ${delay.toFixed(1)} ms:\n${output}`;
        // It has come before the program listened, or when all was done.
        if (told === Number.POSITIVE_INFINITY) continue;
        interrupted++;
        const late = log.filter(({ what, at }) => what === "start" && at > told);
        // What the child calls zero is a moment after it was started.
        expect(lasted - (log.at(-1)?.at ?? 0)).toBeLessThan(5_000);
        const names = (word: string) =>
          log
            .filter(({ what }) => what === word)
            .map(({ about }) => about)
            .sort();
        expect({ late, ended: names("end"), context }).toEqual({ late: [], ended: names("start"), context });
        expect({ code, context }).toEqual({
          code: log.some(({ what }) => what === "finished") ? expect.anything() : CODES[signal],
          context,
        });
        const state = await stateIn(project.folder, "interrupted");
        expect({ ...state, context }).toEqual({ recorded: expected(before, log), pending: [], isOpen: false, context });
      }
      expect(interrupted).toBeGreaterThan(ROUNDS / 4);
    },
  );

  it(
    "is followed by the end within 5 s of the last handler, and a second one by the end within 500 ms",
    timed,
    async () => {
      await prepare("create");
      const run = await start("create", "deaf");
      await run.logs("ready");
      while (!(await logged()).some(({ about }) => about === "create:deaf")) await pause(2);
      run.child.kill("SIGINT");
      await run.logs("signal");
      const pressed = performance.now();
      run.child.kill("SIGINT");
      expect((await run.ended).code).toBe(130);
      expect(performance.now() - pressed).toBeLessThan(500);
      const next = await start("create");
      const { code, output } = await next.ended;
      expect({ code, output }).toMatchObject({ code: 0, output: expect.not.stringContaining("waiting") });
    },
  );
});
