/**
 * One of several writers of a stage: does the runs that its parent orders, each until it succeeds.
 * `contention-worker MODULE NAME LOCATION WORLD`: the store is opened by that name in the module's `STORES`.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as work } from "node:timers/promises";
import { isEngineError, RunFailedError } from "../../core/base/index.js";
import type { Scope, StateStore } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { Resource } from "../../core/resource/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { processExit } from "../../plugins/process-exit/index.js";
import { secrets } from "../../plugins/secrets/index.js";
import { unfolded } from "../helpers/terminal/unfolded.js";
import { type Order, type Report, STEPS, type WorldLine } from "./contention-messages.js";
import { DOUBTS } from "./seals.js";

interface Stores {
  readonly STORES: Readonly<Record<string, (location: string) => StateStore>>;
}

const [module = "", name = "", location = "", world = ""] = process.argv.slice(2);
const { STORES }: Stores = await import(module);
const { pid } = process;
const { STAGE_KEY: key } = process.env;
let session = "";
/** Running handlers end no sooner than this. */
let held: Promise<void> | undefined;
let release = (): void => {};

function openStore(): StateStore {
  const open = STORES[name];
  if (!open) throw new Error(`${module} has no ${name}.`);
  return open(location);
}

function tell(report: Report): void {
  process.send?.(report);
}

function log(line: WorldLine): void {
  appendFileSync(world, `${JSON.stringify(line)}\n`);
}

const teller = definePlugin({
  name: "teller",
  apply({ events }) {
    events.on("state:waiting", () => tell({ type: "waiting" }));
    events.on("state:locked", (event) => {
      session = event.session;
      tell({ type: "locked" });
    });
    events.on("state:committed", ({ seq }) => log({ at: "acknowledged", session, pid, seq }));
    events.on("warning", (warning) => {
      for (const { code } of unfolded(warning)) if (DOUBTS.includes(code)) log({ at: "doubted", pid, code });
    });
    events.on("state:unlocked", () => tell({ type: "unlocked" }));
    events.on("state:taken-over", () => tell({ type: "taken-over" }));
  },
});

const Thing = Resource<{ value: string }, { value: string }>("contention:Thing", async function (id, { value }) {
  if (this.phase === "delete") return this.destroy();
  log({ at: "start", session, pid, id, value });
  tell({ type: "started" });
  // A handler's work takes time.
  await (held ?? work(2));
  log({ at: "end", session, pid, id, value });
  return { value };
});

const engine = createEngine({
  plugins: [processExit(), teller, ...(key === undefined ? [] : [secrets()])],
  leaseTtl: Number(process.env.LEASE_TTL),
  // All of the journal stays, because it is evidence. A run continues in a new segment now and then, but not in its
  // first lines.
  checkpoints: 1_000_000,
  histories: 0,
  limits: { entries: 64, tail: 5_000, small: 1_000_000 },
});

let attempts = 0;

async function attempt(): Promise<void> {
  const value = `${pid}.${++attempts}`;
  const app = await engine("app", {
    stage: "dev",
    stateStore: openStore,
    lockTimeout: 60_000,
    destroyOrphans: false,
    ...(key === undefined ? {} : { key }),
  });
  try {
    for (let step = 0; step < STEPS; step++) await Thing(`t${step}`, { value });
  } catch (error) {
    await leave(app);
    throw error;
  }
  await app.finalize();
}

async function leave(app: Scope): Promise<void> {
  // It rejects with the error that is being thrown already.
  await app[Symbol.asyncDispose]().catch(() => {});
}

/** Another session was first: nothing has happened, and a retry is enough. */
function isHarmless(error: unknown): boolean {
  const cause = error instanceof RunFailedError ? error.cause : error;
  return isEngineError(cause, "STATE_MOVED") || isEngineError(cause, "STATE_LOCKED");
}

async function getThrough(): Promise<void> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isHarmless(error)) throw error;
      process.exitCode = undefined;
    }
  }
}

process.on("message", async (order: Order) => {
  if (order === "end") return process.disconnect();
  if (order === "release") return release();
  held = order.holds ? new Promise((resolve) => (release = resolve)) : undefined;
  await getThrough();
  tell({ type: "done", run: order.run });
});
tell({ type: "ready" });
