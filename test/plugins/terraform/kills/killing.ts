/** Kills runs or their providers at every point, and checks the recovery. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsStoreAt } from "../../../../adapters/fs/index.js";
import { statOf } from "../../../../core/base/index.js";
import { groupLives } from "../../../../plugins/internal/process/process-group.js";
import { compiledProgram } from "../../../helpers/processes/compiled-program.ts";
import { recordingStore } from "../../../helpers/stores/store-around.js";
import { until } from "../../../helpers/time/until.ts";
import { World } from "../fixture/world.ts";
import { fixtureProgram } from "../fixture-provider.ts";
import { known, settled, there } from "./oracles.ts";
import { FOUND, type Scenario } from "./programs.ts";
import { placesIn, type RunInput, type RunOutcome, run } from "./run.ts";
import { look } from "./seen.ts";

export type Victim = "engine" | "provider";

export interface Kill {
  readonly at: number;
  readonly point: string;
  readonly victim: Victim;
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "killed-"));
}

/** A folder after the earlier programs have run in it. */
export async function prepared({ before, meanwhile }: Scenario): Promise<string> {
  const folder = await newFolder();
  const world = new World(placesIn(folder).world);
  world.put("fixture_thing", FOUND, { id: FOUND, name: `${FOUND}/0`, region: "north" });
  await mkdir(join(folder, "tmp"));
  if (before) await toItsEnd({ folder, program: before });
  meanwhile?.(world);
  return folder;
}

/** All points at which a run can be killed. */
export async function killsOf(scenario: Scenario, start: string): Promise<readonly Kill[]> {
  return await inCopy(start, async (folder) => {
    if (scenario.stoppedAt) await inChild({ folder, ...scenario });
    else await toItsEnd({ folder, ...scenario });
    const points = readFileSync(placesIn(folder).points, "utf8").split("\n").filter(Boolean);
    return points.flatMap((point, at) => [
      { at, point, victim: "engine" } as const,
      { at, point, victim: "provider" } as const,
    ]);
  });
}

/** Flaws after a kill, and after the runs that follow it. */
export async function flawsOf(scenario: Scenario, start: string, kill: Kill): Promise<readonly string[]> {
  const { point, victim } = kill;
  const flaws = await inCopy(start, async (folder) => {
    const outcome = await inChild({ folder, ...scenario }, kill);
    const left = await leftBy(folder);
    const seen = await look(folder);
    const now = [
      ...left,
      ...known(seen),
      ...there(seen, scenario.gone),
      ...(victim === "provider" ? told(kill, outcome) : []),
    ];
    return [...now, ...(await recovered(folder, scenario, kill))];
  });
  return flaws.map((flaw) => `${victim} killed ${point}: ${flaw}`);
}

/** A run that continues must report whose answer was lost. */
function told({ point }: Kill, outcome: RunOutcome | undefined): readonly string[] {
  if (!outcome) return ["the engine has ended with it"];
  const isNews = point !== "shutdown" && !/^(before|after) stop$/.test(point);
  return isNews && outcome.errors.length === 0 ? ["the run says nothing of it"] : [];
}

/** Runs the same program to its end, and then once more. */
async function recovered(
  folder: string,
  { program, refresh, expected }: Scenario,
  { point, victim }: Kill,
): Promise<readonly string[]> {
  const fixture = fixtureProgram();
  const second = await run({ folder, program, refresh, fixture });
  const flaws = [
    ...second.errors.map((error) => `fails: ${error}`),
    ...settled(await look(folder), expected, second.warnings),
  ];
  // The engine sees that a provider ends: only a create that was in progress is doubtful.
  const isLost = /^(before|after) (apply create|stop)/.test(point);
  const warned = second.warnings.filter((warning) => warning.startsWith("REPEATED_CREATE"));
  if (victim === "provider" && warned.length !== (isLost ? 1 : 0)) flaws.push(`says ${warned.join() || "nothing"}`);
  if (flaws.length > 0) return flaws;
  const recording = recordingStore(fsStoreAt(placesIn(folder).state));
  const third = await run({ folder, program, fixture, store: recording.store });
  const writes = recording.take().filter((call) => !/^(get|getMany|list)\b/.test(call));
  const idle = [...third.errors, ...third.warnings, ...writes, ...(third.started > 0 ? ["starts a provider"] : [])];
  return idle.map((what) => `idle: ${what}, with nothing to do`);
}

/** Processes and files that outlive a kill: none are allowed, once the kill was noticed. */
async function leftBy(folder: string): Promise<readonly string[]> {
  const { providers } = placesIn(folder);
  const lines = existsSync(providers) ? readFileSync(providers, "utf8").split("\n") : [];
  const groups = lines.filter((line) => /^\d+$/.test(line)).map(Number);
  const files = (): readonly string[] => readdirSync(join(folder, "tmp"));
  await until(() => !groups.some((group) => groupLives(group)) && files().length === 0).catch(() => {
    // The leftovers are reported below.
  });
  return [
    ...groups.filter((group) => groupLives(group)).map((group) => `process ${group} outlives it: ${membersOf(group)}`),
    ...files().map((file) => `${file} is left`),
  ];
}

/** Remaining processes of a group, to tell one that waits for its disk from an orphan. */
function membersOf(group: number): string {
  const told = readdirSync("/proc").flatMap((pid) => {
    const stat = statOf(Number(pid));
    return stat?.group === String(group) ? [`${pid} ${stat.state} ${of(pid, "wchan")} ${of(pid, "cmdline")}`] : [];
  });
  return told.join("; ") || "gone by now";
}

/** Empty once the process is gone. */
function of(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8").replaceAll("\0", " ").slice(0, LONGEST);
  } catch {
    return "";
  }
}

/** Maximum length of a shown command line, in characters. */
const LONGEST = 200;

async function toItsEnd(input: ChildInput): Promise<void> {
  const outcome = await inChild(input);
  if (outcome?.errors.length !== 0) throw new Error(`A run to its end ended with ${outcome?.errors}`);
}

type ChildInput = Pick<RunInput, "folder" | "program" | "refresh" | "stoppedAt">;

/** Returns undefined if the run was killed. */
async function inChild(
  { folder, program, refresh, stoppedAt }: ChildInput,
  kill?: Kill,
): Promise<RunOutcome | undefined> {
  const file = compiledProgram(new URL("killed.child.ts", import.meta.url));
  const doom = kill && { at: kill.at };
  const input = JSON.stringify({ folder, program, refresh, stoppedAt, fixture: fixtureProgram(), doom });
  const env = { PATH: process.env.PATH, XDG_STATE_HOME: process.env.XDG_STATE_HOME, TMPDIR: join(folder, "tmp") };
  const child = spawn(process.execPath, [file, input, kill?.victim ?? ""], { cwd: folder, env });
  const texts = { out: "", err: "" };
  child.stdout.on("data", (chunk) => (texts.out += chunk));
  child.stderr.on("data", (chunk) => (texts.err += chunk));
  const [code, signal] = await once(child, "close");
  if (signal === "SIGKILL" && kill?.victim === "engine") return undefined;
  if (code === 0 && texts.err === "" && kill?.victim !== "engine") return JSON.parse(texts.out);
  throw new Error(`A run ended with ${code ?? signal}: ${texts.err}${texts.out}`);
}

async function inCopy<T>(start: string, act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await newFolder();
  try {
    cpSync(start, folder, { recursive: true });
    for (const old of [placesIn(folder).points, placesIn(folder).providers]) rmSync(old, { force: true });
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
