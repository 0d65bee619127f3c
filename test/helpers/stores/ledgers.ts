/** Ledgers of one stage as separate runs have them, without an engine around. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { identity, NOTHING_DONE, type ProcessIdentity, startOf } from "../../../core/base/index.js";
import type { AnyEvent, ResourceRecord, StateStore } from "../../../core/contract/index.js";
import { createEventBus } from "../../../core/plugin/index.js";
import { type Change, Ledger, type OneShotSettings } from "../../../core/state/index.js";
import type { LedgerSettings } from "../../../core/state/ledger.js";

export interface Run {
  readonly ledger: Ledger;
  readonly events: readonly AnyEvent[];
  /** Reasons that the run got when its ledger broke. */
  readonly broken: readonly unknown[];
  readonly controller: AbortController;
  /** Queues records under these keys and waits until they are durable. */
  put(...keys: string[]): Promise<void>;
  close(): Promise<void>;
  warnings(): string[];
}

export interface Ledgers {
  /** A process of this machine that has ended. */
  readonly dead: ProcessIdentity;
  /** The folder for recovery files. */
  readonly rootDir: string;
  /** Opens the stage like a run whose process is dead by the time that another run checks it. */
  run(store: StateStore, settings?: Partial<LedgerSettings>): Promise<Run>;
  /** A run that has recorded these keys, one after the other, and continues. */
  begun(store: StateStore, keys: string | readonly string[], settings?: Partial<LedgerSettings>): Promise<Run>;
  /** A run that has recorded these keys, one after the other, and has closed. */
  ran(store: StateStore, keys: string | readonly string[], settings?: Partial<LedgerSettings>): Promise<Run>;
}

/** One set of runs per test file, which shares a folder and a dead process. */
export function testLedgers(): Ledgers {
  const here = identity();
  let dead: ProcessIdentity = here;
  let rootDir = "";
  beforeAll(async () => {
    rootDir = await mkdtemp(join(tmpdir(), "ledgers-"));
    dead = await deadProcess();
  });
  afterAll(() => rm(rootDir, { recursive: true, force: true }));
  const ledgers: Ledgers = {
    get dead() {
      return dead;
    },
    get rootDir() {
      return rootDir;
    },
    run: (store, settings = {}) => openRun({ store, rootDir, here, owner: ownerOf(dead), ...settings }),
    async begun(store, keys, settings) {
      const run = await ledgers.run(store, settings);
      for (const key of [keys].flat()) await run.put(key);
      return run;
    },
    async ran(store, keys, settings) {
      const run = await ledgers.begun(store, keys, settings);
      await run.close();
      return run;
    },
  };
  return ledgers;
}

/** Settings of a tool that changes the stage in a session of its own. */
export function toolSettings(store: StateStore, more: Partial<OneShotSettings> = {}): OneShotSettings {
  return {
    store,
    app: "app",
    stage: "dev",
    version: "1.2.3",
    here: identity(),
    owner: ownerOf(identity()),
    lockTimeout: 0,
    ttl: 20_000,
    keep: 3,
    histories: 10,
    events: createEventBus(),
    signal: new AbortController().signal,
    ...more,
  };
}

export function ownerOf(process: ProcessIdentity): LedgerSettings["owner"] {
  return { ...process, since: "2026-01-02T03:04:05.678Z" };
}

/** A process on another machine, so only its lease shows that it lives. */
export function elsewhere(): ProcessIdentity {
  return {
    user: "ada",
    host: "far-away",
    pid: 1,
    boot: "other-boot",
    machine: "other-machine",
    pidNamespace: "pid:[1]",
  };
}

/** The identity of a process that has ended since. */
export async function deadProcess(): Promise<ProcessIdentity> {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  await once(child, "spawn");
  const { pid = 0 } = child;
  const started = startOf(pid);
  child.kill("SIGKILL");
  await once(child, "exit");
  return { ...identity(), pid, ...(started === undefined ? {} : { started }) };
}

type Needed = Pick<LedgerSettings, "store" | "rootDir" | "here" | "owner">;

async function openRun(given: Needed & Partial<LedgerSettings>): Promise<Run> {
  const bus = createEventBus();
  const events: AnyEvent[] = [];
  bus.source.on("*", (_type, event) => void events.push(event));
  const broken: unknown[] = [];
  const controller = new AbortController();
  const ledger = await Ledger.open({
    app: "app",
    stage: "dev",
    writes: true,
    command: "up",
    version: "1.2.3",
    lockTimeout: 0,
    ttl: 20_000,
    keep: 3,
    histories: 10,
    events: bus,
    signal: controller.signal,
    broken: (error) => void broken.push(error),
    ...given,
  });
  return {
    ledger,
    events,
    broken,
    controller,
    put: (...keys) => ledger.commit(keys.map(putting), "now"),
    close: () => ledger.close("done", NOTHING_DONE),
    warnings: () => events.flatMap((event) => (event.type === "warning" ? [event.code] : [])),
  };
}

export function putting(key: string): Change {
  return { op: "put", record: recordAt(key) };
}

export function recordAt(key: string, members: Partial<ResourceRecord> = {}): ResourceRecord {
  return {
    key,
    uid: `uid-${key}`,
    kind: "test:Thing",
    status: "ready",
    props: { text: key },
    output: { name: key },
    physicalName: `app-${key}-dev`,
    token: `token-${key}`,
    attempt: 0,
    ready: [1],
    done: [2],
    ...members,
  };
}

/** The recorded keys. */
export function keysOf(ledger: Ledger): string[] {
  return [...ledger.contents.records.values()].map(({ key }) => key).sort();
}

/** No session makes a checkpoint. */
export const NO_CHECKPOINTS = { entries: 1e9, tail: 1e9, small: -1 };
/** Every session makes one when it closes, and none in between. */
export const CLOSING_CHECKPOINTS = { entries: 1e9, tail: 1e9, small: 1e9 };
/** A session makes one before each entry that follows its first. */
export const MANY_CHECKPOINTS = { entries: 0, tail: 1e9, small: 1e9 };
