/** Heartbeats of this run's session, and watching another session. No wall clock takes part. */
import {
  type Cancel,
  type Clock,
  EngineError,
  fate,
  monotonic,
  type ProcessIdentity,
  perProcess,
  platform,
  type StageHolder,
} from "../../base/index.js";
import type { Held, StateStore } from "../../contract/index.js";
import type { OpenRecord } from "../journal/entry.js";
import type { OpenSession } from "../journal/head.js";
import { listKeys, readSegment } from "../journal/segment.js";
import type { LedgerLocation } from "../keys.js";

type LeaseLocation = Pick<LedgerLocation, "store" | "keys">;

/** A counter that is incremented every quarter of the TTL. A short run ends before the first beat and writes none. */
export class Lease {
  readonly #location: LeaseLocation;
  readonly #session: string;
  readonly #ttl: number;
  readonly #clock: Clock;
  readonly #stop: Cancel;
  /** Earliest possible time of the last sign of life. */
  #alive: number;
  #beats = 0;
  #writing: Promise<void> | undefined;

  constructor(location: LeaseLocation, session: string, ttl: number, clock = monotonic) {
    this.#location = location;
    this.#session = session;
    this.#ttl = ttl;
    this.#clock = clock;
    this.#alive = clock.now();
    this.#stop = platform().every(ttl / 4, () => this.#beat());
  }

  /** True if others may have taken over meanwhile: the process may have been suspended, or the store did not answer. */
  get isSilent(): boolean {
    return this.#clock.now() - this.#alive > this.#ttl / 2;
  }

  /** Notes that a line of this session was accepted. @param sent when it was sent, on the monotonic clock */
  proved(sent: number): void {
    this.#alive = sent;
  }

  /** Ends the beats; `remove` also deletes the lease, even an absent one if other runs can listen for that. */
  async end(remove: boolean): Promise<void> {
    this.#stop();
    await this.#writing;
    const { store, keys } = this.#location;
    const isAwaited = this.#beats > 0 || store.whenDeleted !== undefined;
    if (remove && isAwaited) await dropLease(store, keys.lease(this.#session));
  }

  #beat(): void {
    if (this.#writing !== undefined) return;
    const done = (): void => {
      this.#writing = undefined;
    };
    // A failed beat counts as missed; the fence, not the lease, protects the state.
    this.#writing = this.#write().then(done, done);
  }

  /**
   * If others have taken over during a long silence, a beat would leave a key that is never deleted, so that is checked
   * first. A process can be suspended during a beat, too: a late beat is deleted again.
   */
  async #write(): Promise<void> {
    const { store, keys } = this.#location;
    const key = keys.lease(this.#session);
    const began = this.#clock.now();
    if (await this.#isOverAfter(began - this.#alive)) return;
    this.#beats++;
    await store.set(key, String(this.#beats));
    if (await this.#isOverAfter(this.#clock.now() - began)) return dropLease(store, key);
    this.#alive = began;
  }

  /** Returns true, and stops the beats, if another session has begun during a silence that was long enough for it. */
  async #isOverAfter(silence: number): Promise<boolean> {
    if (silence <= this.#ttl / 2 || (await isNewest(this.#location, this.#session))) return false;
    this.#stop();
    return true;
  }
}

/** Returns false once another session has begun. */
async function isNewest({ store, keys }: LeaseLocation, session: string): Promise<boolean> {
  const last = (await listKeys({ store, keys })).entries.at(-1) ?? 0;
  const text = await store.get(keys.entry(last));
  return text !== undefined && readSegment(last, text)?.lines[0]?.entry.session === session;
}

/** Deletes a lease. A lease that stays is one small key of a session that no run watches, so errors are ignored. */
export async function dropLease(store: StateStore, key: string): Promise<void> {
  await store.deleteMany([key]).catch(() => false);
}

export interface Watched {
  /** Returns a value that changes with each sign of life of the owner; undefined if there was one since it was met. */
  sign(): Promise<string | undefined>;
  readonly ttl: number;
  /** Maximum milliseconds to wait for an owner that is known to live; Infinity: no limit. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Resolves "moved" at the first sign of life, "silent" after a whole TTL without one, "late" once `timeout` has passed.
 * Only time between two successful checks counts as silence, if they are at most a third of the TTL apart.
 *
 * @throws the error of the last check, if none has succeeded for a whole TTL
 */
export async function watch({ sign, ttl, timeout, signal, clock }: Watched): Promise<"moved" | "silent" | "late"> {
  const first = await sign();
  if (first === undefined) return "moved";
  const began = clock.now();
  let seen = began;
  let silence = 0;
  for (let pause = Math.min(50, ttl / 20); silence < ttl; pause = Math.min(pause * 2, ttl / 8)) {
    const left = began + timeout - clock.now();
    if (left <= 0) return "late";
    // The last check happens at the deadline, not one pause later.
    await clock.sleep(Math.min(pause, ttl - silence, left), signal);
    const present = await lookAt(sign);
    const now = clock.now();
    const gap = now - seen;
    if ("error" in present) {
      // A missing answer proves nothing: the gap does not count as silence.
      if (gap > ttl) throw present.error;
      continue;
    }
    if (present.sign !== first) return "moved";
    seen = now;
    if (gap <= ttl / 3) silence += gap;
  }
  return "silent";
}

async function lookAt(
  sign: Watched["sign"],
): Promise<{ readonly sign: string | undefined } | { readonly error: unknown }> {
  try {
    return { sign: await sign() };
  } catch (error) {
    return { error };
  }
}

/** Returns the holder of an open session, from its first entry. */
export function stageHolder({ session, record }: OpenSession, here: ProcessIdentity): StageHolder {
  const { owner, command, version } = record;
  const { user, host, pid, since, ci } = owner;
  const by = { user, host, pid, since, ...(ci === undefined ? {} : { ci }) };
  return { session, command, ...by, process: fate(owner, here), ttl: ttlOf(record), version };
}

/** Describes an owner in a message. */
export function describeOwner({ user, host, pid, ci }: Pick<StageHolder, "user" | "host" | "pid" | "ci">): string {
  return `${user}@${host} (process ${pid}${ci ? `, ${ci}` : ""})`;
}

/** Describes a stage that is held, as events report it. */
export function heldBy(holder: StageHolder): Held {
  return { owner: describeOwner(holder), since: holder.since, holder };
}

/** @param what continues the message after the owner, e.g. since when, and what to do */
export function locked(
  { app, stage }: Pick<LedgerLocation, "app" | "stage">,
  holder: StageHolder,
  what: string,
): EngineError {
  return new EngineError("STATE_LOCKED", `"${app}/${stage}" is being changed by ${describeOwner(holder)}${what}`, {
    holder,
  });
}

const sessions = perProcess("given-up-sessions@1", () => new Set<string>());

/**
 * Marks a session of this process as given up: its process lives on, so another run would otherwise wait until the
 * lease has expired.
 */
export function abandonSession(session: string): void {
  sessions().add(session);
}

/** True for sessions of this process that will write no more, although they could not be closed. */
export function isAbandoned(session: string): boolean {
  return sessions().has(session);
}

/** In milliseconds. */
export const DEFAULT_TTL = 20_000;

/** An hour. */
export const LONGEST_TTL = 3_600_000;

export function isTtl(value: unknown): value is number {
  return typeof value === "number" && value > 0 && value <= LONGEST_TTL;
}

/**
 * Returns the TTL of a session. The record may be forged and others wait for it, so only values that a run can set
 * count.
 */
export function ttlOf({ ttl }: OpenRecord): number {
  if (isTtl(ttl)) return ttl;
  return typeof ttl === "number" && ttl > LONGEST_TTL ? LONGEST_TTL : DEFAULT_TTL;
}
