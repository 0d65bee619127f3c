/** All checks of a folder that a killed run has left. */

import { cpSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stageAdmin } from "../../plugins/admin/index.js";
import { KEYS } from "../helpers/apps/under-key.js";
import { recordingStore } from "../helpers/stores/store-around.js";
import { FileWorld } from "./file-world.js";
import {
  contentOf,
  differences,
  inTurn,
  intended,
  known,
  loads,
  type Oracle,
  once,
  settled,
  surfaced,
  trusted,
} from "./oracles.js";
import type { Places } from "./places/places.js";
import { IN_SEQUENCE } from "./programs.js";
import { openerOf } from "./rotation.js";
import { type RunInput, run } from "./run.js";
import { bareIn, rememberAt } from "./seals.js";
import { look, type Seen } from "./seen.js";

export type Settings = RunInput["settings"];

/** Makes the world of a run; tests of the oracles make a broken one. */
export type MakeWorld = (folder: string) => FileWorld;
const soundWorld: MakeWorld = (folder) => new FileWorld(folder);

export function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "scope-engine-killed-"));
}

/** The same state and world in a folder of its own. */
export async function copyOf(places: Places, folder: string): Promise<string> {
  const copy = await newFolder();
  await mkdir(join(folder, "world"), { recursive: true });
  cpSync(join(folder, "world"), join(copy, "world"), { recursive: true });
  await places.copy(folder, copy);
  const stores = [places.open(folder), places.open(copy)] as const;
  rememberAt(...stores);
  for (const store of stores) await store.close?.();
  return copy;
}

export async function inCopy<T>(places: Places, folder: string, act: (copy: string) => Promise<T>): Promise<T> {
  const copy = await copyOf(places, folder);
  try {
    return await act(copy);
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** Faults before any recovery, by the name of the oracle. */
export async function damageIn(places: Places, folder: string, killed: string, isSealed = false): Promise<string[]> {
  const seen = await look(places, folder);
  const found = findings(seen, { loads, known, intended, once, ...(IN_SEQUENCE.includes(killed) ? { inTurn } : {}) });
  return [...found, ...(isSealed ? await unsealedIn(places, folder) : [])];
}

async function unsealedIn(places: Places, folder: string): Promise<string[]> {
  const store = places.open(folder);
  const bare = await bareIn(store);
  await store.close?.();
  return bare.map((line) => `sealed: ${line}`);
}

export interface Recovery {
  readonly places: Places;
  readonly folder: string;
  readonly program: string;
  readonly settings: Settings;
  readonly isSealed?: boolean;
  /** Contents that the program leaves without a kill. */
  readonly expected: readonly string[];
  /** True: nothing is left to do. */
  readonly isOver?: boolean;
  readonly makeWorld?: MakeWorld;
}

/** Faults after the program has run to its end, and after it has run again. */
export async function flawsOf(recovery: Recovery): Promise<string[]> {
  const { places, folder, expected, isSealed = false, isOver = false } = recovery;
  const first = await completeWithPerson(recovery);
  const content: Oracle = (seen) => differences(seen, expected);
  const oracles = { loads, known, once, surfaced, settled, trusted, content };
  const bare = isSealed ? await unsealedIn(places, folder) : [];
  const flaws = [...failuresOf(first), ...findings(first.seen, oracles), ...bare, ...(isOver ? workOf(first) : [])];
  if (flaws.length > 0) return flaws;
  const again = await complete(recovery);
  return [...failuresOf(again), ...workOf(again)];
}

function failuresOf({ errors }: Completed): string[] {
  return errors.map((error) => `fails: ${String(error)}`);
}

/** The work of a run that had nothing to do. */
function workOf({ seen, writes }: Completed): string[] {
  const calls = seen.calls.filter(({ run, edge }) => run === seen.run && edge === "begins");
  return [...calls.map(({ op, fqn }) => `${op} ${fqn}`), ...writes].map((work) => `idle: ${work}, with nothing to do`);
}

interface Completed {
  readonly seen: Seen;
  readonly errors: readonly unknown[];
  readonly writes: readonly string[];
}

async function complete(recovery: Recovery): Promise<Completed> {
  const { places, folder, program, settings, isSealed, makeWorld = soundWorld } = recovery;
  const world = makeWorld(folder);
  const recording = recordingStore(places.open(folder));
  const errors = await run({ folder, store: recording.store, world, program, settings, isSealed });
  await recording.store.close?.();
  const writes = recording.take().filter((call) => !/^(get|getMany|has|list)\b/.test(call));
  return { seen: await look(places, folder, world), errors, writes };
}

/**
 * After a run that leaves deletes with an unknown result, a person checks, runs the right command, and repeats the run.
 */
async function completeWithPerson(recovery: Recovery): Promise<Completed> {
  const first = await complete(recovery);
  const doubtful = first.seen.records.filter(({ status, replaced }) => status === "deleting" && !replaced);
  if (doubtful.length === 0) return first;
  const { places, folder, settings, isSealed = false } = recovery;
  const store = places.open(folder);
  const opener = settings === "secret" ? await openerOf({ store, folder, by: isSealed ? "key" : "password" }) : {};
  const own = isSealed ? { key: KEYS[0] } : {};
  const admin = stageAdmin(store, { app: "app", stage: "dev", env: {}, rootDir: folder, ...own, ...opener });
  for (const { key, uid } of doubtful) {
    if (first.seen.things.some((thing) => thing.uid === uid)) await admin.keep(`app/dev/${key}`);
    else await admin.forget([`app/dev/${key}`]);
  }
  await admin.close();
  await store.close?.();
  return complete(recovery);
}

const contents = new Map<string, Promise<readonly string[]>>();

/**
 * Contents that a program leaves without a kill: the same whatever the earlier state, so each program runs once for
 * that.
 */
export function contentAfter(places: Places, program: string): Promise<readonly string[]> {
  const name = `${places.name} ${program}`;
  const content = contents.get(name) ?? leftBy(places, program);
  contents.set(name, content);
  return content;
}

async function leftBy(places: Places, program: string): Promise<readonly string[]> {
  const folder = await newFolder();
  try {
    const { seen, errors } = await complete({ places, folder, program, settings: undefined, expected: [] });
    if (errors.length > 0) throw errors[0];
    return contentOf(seen);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function findings(seen: Seen, oracles: Readonly<Record<string, Oracle>>): string[] {
  return Object.entries(oracles).flatMap(([name, oracle]) => oracle(seen).map((line) => `${name}: ${line}`));
}
