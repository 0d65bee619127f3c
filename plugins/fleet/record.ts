/** The record of a fleet and its runs, in a stage of its own. */
import { fate, identity, NOTHING_DONE } from "../../core/base/index.js";
import type { ValueLocation } from "../../core/codec/index.js";
import { dataOwner, type Encoded, type EngineOptions, type StateStore } from "../../core/contract/index.js";
import { makeDetachedApp, storeOf } from "../../core/engine/index.js";
import type { App } from "../../core/run/index.js";
import { isGood } from "./conductor/conducting.js";
import type { FleetCommand, FleetReport, FleetState, StageOutcome, WaveReport } from "./contract.js";
import { plugins } from "./parts.js";
import { RESERVED } from "./reserved.js";

/** A fleet run, as it is recorded. */
export interface RunRecord {
  readonly id: string;
  readonly command: FleetCommand;
  readonly version: string;
  /** Number of times that it was continued by hand: each time has other jobs. */
  readonly attempt: number;
  /** The last attempt that began failed stages again. A failure of an earlier one does not end its stage. */
  readonly retried?: number;
  /** Version of each attempt; absent while all are `version`. */
  readonly versions?: readonly string[];
  readonly state: FleetState;
  readonly reason?: string;
  /** ISO 8601. */
  readonly began: string;
  /** Milliseconds that it took, once it has ended. */
  readonly duration?: number;
  /** Options of the definition that it depends on, as texts; see `settingsOf()`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Number of waves that have begun. */
  readonly begun: number;
  /** The next wave waits to be resumed, also if the run was paused or cancelled since. */
  readonly isAtGate?: true;
  readonly waves: readonly Pick<WaveReport, "to" | "total" | "prune">[];
  /** Recorded stages that were not in its list. */
  readonly left: readonly string[];
  /** Number of workers that died while they ran stages. */
  readonly workersLost?: number;
  /** Its counts, once its process has ended it. */
  readonly ended?: Pick<FleetReport, "stages" | "waves" | "resources" | "slowest">;
}

/** A stage, as the last fleet run that finished it recorded it. */
export interface StageRecord extends StageOutcome {
  /** The fleet run. */
  readonly run: string;
  readonly command: FleetCommand;
  readonly wave: number;
  /** Attempt of the run that ended it; absent for the first. */
  readonly attempt?: number;
  /** Digest of its input; absent if the input holds secrets. */
  readonly input?: string;
}

export interface RecordOptions extends EngineOptions {
  readonly onWarning?: (code: string, message: string) => void;
}

export function isDestroyed(stage: StageRecord): boolean {
  return stage.command === "destroy" && isGood(stage);
}

/** True if a stage ended in this run with another version of the program than the present one. */
export function isOutdated({ versions, version }: RunRecord, { attempt = 0 }: StageRecord): boolean {
  return versions !== undefined && versions[attempt] !== version;
}

/** Returns the run that continues another one by hand. @param retries true if stages that failed begin again */
export function continued(run: RunRecord, version: string, retries: boolean): RunRecord {
  const { versions = Array.from({ length: run.attempt + 1 }, () => run.version), ...rest } = run;
  const all = [...versions, version];
  return {
    ...rest,
    attempt: run.attempt + 1,
    version,
    ...(retries && { retried: run.attempt + 1 }),
    ...(all.some((one) => one !== version) && { versions: all }),
    begun: run.isAtGate ? run.begun + 1 : run.begun,
  };
}

/** Returns the stages outside the list that are still recorded: a prune or a destroy removes them. */
export function stillLeft(record: FleetRecord, left: readonly string[]): readonly string[] {
  return left.filter((name) => {
    const known = record.stage(name);
    return known !== undefined && !isDestroyed(known);
  });
}

const RUN = "run";
const STAGE = "stage:";
const QUEUE = "queue";

/** Keeps few copies: nothing restores an older record of a fleet. */
const SETTINGS = { histories: 1, checkpoints: 2 };

export class FleetRecord {
  readonly store: StateStore;
  readonly #app: App;
  readonly #owner: string;
  readonly #isOwnStore: boolean;
  #isClosed = false;

  private constructor(app: App, store: StateStore, isOwnStore: boolean, owner = dataOwner(app.root)) {
    this.#app = app;
    this.store = store;
    this.#isOwnStore = isOwnStore;
    this.#owner = owner;
  }

  /**
   * Opens the record for a conductor, which holds it until it is closed.
   *
   * @throws EngineError `STATE_LOCKED` if another conductor holds it, and as `engine()` does
   */
  static open(fleet: string, options: RecordOptions, command: string): Promise<FleetRecord> {
    return openAt(fleet, RESERVED, { lock: "eager", ...options }, `fleet ${command}`);
  }

  /** Opens the record to read it. It takes no lock. */
  static read(fleet: string, options: RecordOptions): Promise<FleetRecord> {
    return openAt(fleet, RESERVED, { ...options, phase: "read" }, "fleet status");
  }

  /** @internal */
  static of(app: App, store: StateStore, isOwn: boolean, owner?: string): FleetRecord {
    return new FleetRecord(app, store, isOwn, owner);
  }

  /** Aborted if the record can no longer be written, e.g. because another conductor took over. */
  get signal(): AbortSignal {
    return this.#app.signal;
  }

  /** True if a process holds the record, as far as this machine knows. */
  get isHeld(): boolean {
    const { open } = this.#app.ledger.durable.head;
    return open !== undefined && fate(open.record.owner, identity()) !== "gone";
  }

  /** Random name of the record, the same for all processes that share it; undefined before the first run. */
  get lineage(): string | undefined {
    return this.#app.ledger.lineage;
  }

  /** False if it was opened to read it. */
  get isWritable(): boolean {
    return this.#app.options.phase !== "read";
  }

  /** Name of the queue that the last run used. */
  get queue(): string | undefined {
    return this.entry<string>(QUEUE);
  }

  setQueue(name: string): Promise<void> {
    return this.setEntry(QUEUE, name, "now");
  }

  get run(): RunRecord | undefined {
    return this.entry<RunRecord>(RUN);
  }

  /** The recorded stages, by name. Destroyed ones are among them until the run is done. */
  *stages(): Iterable<readonly [stage: string, record: StageRecord]> {
    for (const [key, value] of this.#app.ledger.contents.data.get(this.#owner) ?? [])
      if (key.startsWith(STAGE)) yield [key.slice(STAGE.length), value as unknown as StageRecord];
  }

  stage(name: string): StageRecord | undefined {
    return this.entry<StageRecord>(STAGE + name);
  }

  /** Resolves when the run is durable. */
  setRun(run: RunRecord): Promise<void> {
    return this.setEntry(RUN, run, "now");
  }

  /** Resolves when the stage is durable; several are written together. */
  setStage(name: string, record: StageRecord): Promise<void> {
    // Not copied as a whole: thousands of records share the texts of the run.
    const value = Object.fromEntries(Object.entries(record).filter(([, member]) => member !== undefined)) as Encoded;
    return this.#app.ledger.commit([{ op: "data", owner: this.#owner, key: STAGE + name, value }], "soon");
  }

  /** Removes the stages that are destroyed. */
  async dropDestroyed(): Promise<void> {
    const names = [...this.stages()].filter(([, record]) => isDestroyed(record)).map(([stage]) => stage);
    if (names.length === 0) return;
    const owner = this.#owner;
    await this.#app.ledger.commit(
      names.map((name) => ({ op: "data", owner, key: STAGE + name })),
      "soon",
    );
  }

  /** Resolves when everything is durable. */
  drain(): Promise<void> {
    return this.#app.ledger.drain();
  }

  /**
   * Encodes the input of a stage as JSON text. Secrets in it are encrypted with the password or key of the fleet.
   *
   * @throws EngineError `UNSERIALIZABLE`; `PASSWORD_REQUIRED` for a secret without a password or key
   */
  async encodeInput(stage: string, input: unknown): Promise<string> {
    const encoding: Encoded | Promise<Encoded> = this.#app.codec.encode(input, inputLocation(this.#app, stage));
    const encoded = encoding instanceof Promise ? await encoding : encoding;
    return JSON.stringify(encoded) ?? "null";
  }

  /** Returns the error without known secrets. */
  safe(error: unknown): unknown {
    return this.#app.safe(error);
  }

  async decodeInput(stage: string, text: string): Promise<unknown> {
    return this.#app.codec.decode(JSON.parse(text), inputLocation(this.#app, stage));
  }

  /** Writes what is queued, ends the session, and closes the store. */
  async close(outcome: "done" | "failed" = "done"): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { ledger } = this.#app;
    try {
      await ledger.close(outcome, NOTHING_DONE).catch(async (error: unknown) => {
        await ledger.letGo();
        throw error;
      });
    } finally {
      await this.#app.release();
      if (this.#isOwnStore) await this.store.close?.();
    }
  }

  /** @internal */
  entry<T>(key: string): T | undefined {
    return this.#app.ledger.contents.data.get(this.#owner)?.get(key) as T | undefined;
  }

  /** @internal */
  setEntry(key: string, value: object | string, urgency: "now" | "soon"): Promise<void> {
    // Without members that are undefined.
    const encoded: Encoded = JSON.parse(JSON.stringify(value));
    return this.#app.ledger.commit([{ op: "data", owner: this.#owner, key, value: encoded }], urgency);
  }
}

/** Place of an encoded input: a ciphertext in it is bound to the stage. */
export function inputLocation({ root: scope }: App, stage: string): ValueLocation {
  const key = `input:${stage}`;
  return { scope, fqn: `${scope.chain.join("/")}/${key}`, owner: dataOwner(scope), slot: "data", key };
}

/** Opens a stage that holds data of the fleet. @param owner of the data. Default: the root scope */
export async function openAt(
  fleet: string,
  stage: string,
  { onWarning, ...options }: RecordOptions,
  command: string,
  owner?: string,
): Promise<FleetRecord> {
  const given: EngineOptions = { phase: "up", ...options, stage, argv: [], telemetry: false, quiet: true };
  const app = makeDetachedApp({ plugins: plugins(), ...SETTINGS }, fleet, given);
  if (onWarning) app.events.source.on("warning", ({ code, message }) => onWarning(code, message));
  let isOwn = false;
  let store: StateStore | undefined;
  try {
    ({ store, isOwn } = await storeOf(app, app.options.stateStore));
    await app.load({ store, isOwn: false }, command);
    if (app.calls.scopeCreated.used) await app.calls.scopeCreated.call({ scope: app.root });
    return FleetRecord.of(app, store, isOwn, owner);
  } catch (error) {
    await app.release().catch(() => {});
    if (isOwn) await store?.close?.();
    throw app.safe(error);
  }
}

/**
 * Returns the name of the record, and begins the record if there is none.
 *
 * @throws EngineError as `engine()` does
 */
export async function lineageOf(fleet: string, options: RecordOptions): Promise<string> {
  const found = await FleetRecord.read(fleet, options);
  await found.close();
  if (found.lineage !== undefined) return found.lineage;
  const begun = await FleetRecord.open(fleet, { ...options, lockTimeout: 10_000 }, "begin");
  await begun.close();
  return begun.lineage ?? "";
}
