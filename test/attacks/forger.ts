/** Random attacks by a forger who may write anything to the store of a sealed stage, and has no key. */
import { EngineError, RunFailedError } from "../../core/base/index.js";
import { isPluginOwner } from "../../core/contract/index.js";
import { sessionSettings } from "../../core/engine/index.js";
import { type Contents, load, locationOf } from "../../core/state/index.js";
import { newKeyText } from "../../plugins/secrets/opener.js";
import { closedApp } from "../helpers/apps/closed-app.ts";
import { all, keys, rechained } from "./forging.ts";
import { NothingToChoose, Random } from "./random.ts";
import { type Held, REWRITES, type Rewrite, type Spoils } from "./rewrites.ts";
import { failureOf, RUNS, type RunName, told } from "./runs.ts";
import { breakText, rewriteText } from "./texts.ts";
import { nameOf, type Victim, victim } from "./victim.ts";

export interface Tried {
  /** Number of rewrites by their outcome. */
  readonly counts: Readonly<Record<"refused" | "older" | "twin" | "emptied" | "unchanged", number>>;
  /** Forged contents that a run accepted, acted on or wrote: each with the seed that reproduces it. */
  readonly accepted: readonly string[];
  /** Refused, but with an error that does not explain why. */
  readonly unclear: readonly string[];
  /** Number of refusals by error code. */
  readonly codes: Readonly<Record<string, number>>;
}

const RUN_NAMES: readonly RunName[] = [
  "up of the same program",
  "up of an empty program",
  "destroy",
  "read",
  "plan",
  "engine.ref",
  "restore",
  "rotatePassword",
  "rekey",
  "unlock",
  "forget",
  "move",
  "up of an early lock",
];

const CLEAR = new Set(["STATE_FORGED", "STATE_CORRUPT", "STATE_FORMAT", "STATE_IDENTITY", "WRONG_PASSWORD"]);

export async function forge(count: number, seed: number, append: boolean): Promise<Tried> {
  const opener = { key: newKeyText() };
  const sound = await victim({ append, opener });
  const twin = await victim({ append, opener });
  const spoils: Spoils = { older: [...sound.snapshots, ...sound.forks], twin: twin.snapshots };
  const journal = new Map(sound.snapshots.flatMap((one) => [...one]));
  for (const key of journal.keys()) if (!key.startsWith(keys.entries)) journal.delete(key);
  const app = await closedApp(sound.on(await sound.store(sound.values)), opener);
  const counts = { refused: 0, older: 0, twin: 0, emptied: 0, unchanged: 0 };
  const codes: Record<string, number> = {};
  const accepted: string[] = [];
  const unclear: string[] = [];
  for (let round = 0; round < count; round++) {
    const random = new Random(seed + round);
    const base = random.chance(0.5) ? sound.values : random.chance(0.7) ? journal : random.one(sound.snapshots);
    const { held, how } = rewritten(new Map(base), random, spoils);
    const name = RUN_NAMES[round % RUN_NAMES.length] ?? "read";
    const where = `SEED=${seed + round} append=${append} ${name}: ${how}`;
    const store = await sound.store(held);
    const loaded = await load(locationOf(sessionSettings(app, store))).catch((error: unknown) => error);
    if (!(loaded instanceof Error)) {
      const { contents, head } = loaded as Awaited<ReturnType<typeof load>>;
      if (sound.states.has(nameOf({ contents, head }))) counts[isSame(held, base) ? "unchanged" : "older"]++;
      // If the contents as a whole are genuine, only the memory of the machine distinguishes them.
      else if (twin.states.has(nameOf({ contents, head }))) counts.twin++;
      else if (isEmptied(contents)) counts.emptied++;
      else accepted.push(`LOADED ${where}`);
      continue;
    }
    counts.refused++;
    const refused = await meets(sound, name, held);
    for (const problem of refused.problems) accepted.push(`${problem} ${where}`);
    for (const error of [loaded, refused.error]) {
      const code = error instanceof EngineError ? error.code : told(error).slice(0, 60);
      codes[code] = (codes[code] ?? 0) + 1;
      if (!CLEAR.has(code)) unclear.push(`${told(error).slice(0, 200)} ${where}`);
    }
  }
  return { counts, accepted, unclear, codes };
}

function rewritten(held: Held, random: Random, spoils: Spoils): { readonly held: Held; readonly how: string } {
  const how: string[] = [];
  const times = 1 + random.below(3);
  for (let time = 0; time < times && held.size > 0; time++) how.push(tried(random.one(REWRITES), held, random, spoils));
  let next = held;
  if (random.chance(0.6)) {
    next = rechained(held);
    how.push("chained anew");
  }
  if (next.size > 0 && random.chance(0.15)) how.push(rewriteText(next, random, spoils));
  if (next.size > 0 && random.chance(0.05)) how.push(breakText(next, random, spoils));
  if (random.chance(0.05)) next.set(keys.lease("s"), "1");
  return { held: next, how: how.join("; ") };
}

/** An earlier rewrite may have left a text that a later rewrite cannot parse. */
function tried(rewrite: Rewrite, held: Held, random: Random, spoils: Spoils): string {
  try {
    return rewrite(held, random, spoils);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NothingToChoose) return "broken";
    throw error;
  }
}

/** Nothing but the data of plugins: the memory of the machine decides whether that is accepted. */
function isEmptied({ records, data }: Contents): boolean {
  return records.size === 0 && [...data.keys()].every(isPluginOwner);
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, text]) => other.get(key) === text);
}

/** Runs the program on contents that a load has refused. */
async function meets(
  sound: Victim,
  name: RunName,
  held: Held,
): Promise<{ readonly error: unknown; readonly problems: readonly string[] }> {
  const store = await sound.store(held);
  sound.world.news();
  const run: (typeof RUNS)[RunName] = RUNS[name];
  const failure = await failureOf(run({ victim: sound, stage: sound.on(store), store, options: sound.opener }));
  const error = failure instanceof RunFailedError ? failure.errors[0] : failure;
  const problems: string[] = [];
  const calls = sound.world.news();
  if (calls.length > 0) problems.push(`CALLED ${calls.join(", ")}`);
  if (!isSame(await all(store), held)) problems.push("WROTE");
  if (error === undefined) problems.push("RAN");
  return { error, problems };
}
