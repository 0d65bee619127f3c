/** Programs that are interrupted at random instants. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { numbers } from "../helpers/checks/sampling.ts";
import { engineProject, type Project, plainEnv } from "../helpers/processes/engine-project.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { until } from "../helpers/time/until.ts";
import { COUNT, interruptedProgram } from "./interrupted-program.ts";

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof CODES;

let project: Project;
beforeAll(async () => {
  project = await engineProject({ "program.mjs": interruptedProgram });
});
afterAll(() => project.remove());

interface LogLine {
  readonly what: string;
  /** Such as `create:r1`. */
  readonly about: string;
}

export async function logged(): Promise<readonly LogLine[]> {
  const lines = (await readFile(join(project.folder, "log.txt"), "utf8")).trim().split("\n");
  return lines.map((line) => {
    const [what = "", about = ""] = line.split(" ");
    return { what, about };
  });
}

interface Run {
  readonly child: ReturnType<typeof spawn>;
  /** Resolves when it has logged such a line, or has ended. */
  logs(what: string): Promise<void>;
  /** Resolves when it has logged so many lines, or has ended. */
  reaches(lines: number): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

export async function start(...args: readonly string[]): Promise<Run> {
  await rm(join(project.folder, "log.txt"), { force: true });
  await appendFile(join(project.folder, "log.txt"), "");
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
    return { code: child.exitCode, output };
  });
  const logs = async (what: string): Promise<void> => {
    await until(async () => isOver || (await logged()).some((line) => line.what === what));
  };
  const reaches = async (lines: number): Promise<void> => {
    await until(async () => isOver || (await logged()).length >= lines);
  };
  return { child, logs, reaches, ended };
}

/** The expected records after the finished handlers, starting from the earlier ones. */
function expected(before: readonly string[], log: readonly LogLine[]): readonly string[] {
  const recorded = new Set(before);
  for (const { about } of log.filter(({ what }) => what === "end")) {
    const [phase, id = ""] = about.split(":");
    if (phase === "delete") recorded.delete(id);
    else recorded.add(id);
  }
  return [...recorded].sort();
}

/** Milliseconds. */
const MOST_DELAY = 5;
const KINDS = [["create"], ["change"], ["destroy", "--destroy"]] as const;

/** Number of lines that an undisturbed run logs, by its kind. Its duration differs each time. */
async function lengths(): Promise<ReadonlyMap<string, number>> {
  const all = new Map<string, number>();
  for (const [kind, ...flags] of KINDS) {
    await prepare(kind);
    const { ended } = await start(kind, ...flags);
    expect((await ended).code).toBe(0);
    all.set(kind, (await logged()).length);
  }
  return all;
}

/** The state from which a run of this kind starts. One complete create made it for all of them. */
export async function prepare(kind: string): Promise<readonly string[]> {
  const state = join(project.folder, ".engine");
  const created = join(project.folder, "created");
  await rm(state, { recursive: true, force: true });
  if (kind === "create") return [];
  if (existsSync(created)) {
    await cp(created, state, { recursive: true });
  } else {
    const { ended } = await start("create");
    expect((await ended).code).toBe(0);
    await cp(state, created, { recursive: true });
  }
  return Array.from({ length: COUNT }, (_, n) => `r${n}`).sort();
}

/**
 * @param rounds of each signal
 * @param seed another seed gives other instants
 */
export function interruptedAtRandom(rounds: number, signals: readonly Signal[], seed = ""): void {
  it.each([...signals])(
    `(%s) starts no handler any more, records what was done, frees the lock and ends with its code`,
    { timeout: (rounds + 6) * 60_000 },
    async (signal: Signal) => {
      const random = numbers(`${signal}${seed}`);
      const all = await lengths();
      for (let round = 0; round < rounds; round++) {
        const [kind, ...flags] = KINDS[round % KINDS.length] ?? KINDS[0];
        const before = await prepare(kind);
        const lines = Math.floor(random() * (all.get(kind) ?? 0));
        const delay = random() * MOST_DELAY;
        const run = await start(kind, `${lines}`, ...flags);
        await run.logs("ready");
        await run.reaches(lines);
        await pause(delay);
        run.child.kill(signal);
        const { code, output } = await run.ended;
        const log = await logged();
        const told = log.findIndex(({ what }) => what === "signal");
        const context = `round ${round}, ${kind}, ${signal} ${delay.toFixed(1)} ms after ${lines} lines:\n${output}`;
        expect(told, context).toBeGreaterThanOrEqual(0);
        // The process ends when its handlers have ended, not at the limit that a SIGTERM sets.
        expect(output).not.toContain("ending now");
        const late = log.slice(told).filter(({ what }) => what === "start");
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
    },
  );
}
