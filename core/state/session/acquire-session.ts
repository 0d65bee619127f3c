/** Handles a session that is open already: waits, gives up, or takes over. */
import { type Clock, type EngineError, fate, ignore, type ProcessIdentity } from "../../base/index.js";
import type { EventBus, Held } from "../../contract/index.js";
import type { Head, OpenSession } from "../journal/head.js";
import { readSegment } from "../journal/segment.js";
import type { LedgerLocation } from "../keys.js";
import { type Loaded, load } from "../load.js";
import { describeOwner, heldBy, isAbandoned, locked, stageHolder, ttlOf, watch } from "./lease.js";

export interface AcquireSettings extends LedgerLocation {
  readonly here: ProcessIdentity;
  /** Milliseconds to wait for a living owner. */
  readonly lockTimeout: number;
  readonly events: EventBus;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /**
   * Returns a function that ends the run of this process that owns a session, if that run will not continue; otherwise
   * undefined.
   */
  leftBehind?(session: string): (() => Promise<void>) | undefined;
}

/** Milliseconds from a sign of life to the next load, which costs more than reading the lease. */
const SHORTEST_PAUSE = 20;

const LONGEST_PAUSE = 1_000;

/**
 * Resolves with a load whose session is closed or has a dead owner, or after which this run cannot write.
 *
 * @param dead sessions that need no waiting: begun by this run, or found dead before
 * @throws EngineError `STATE_LOCKED` if the owner lives and `lockTimeout` has passed
 */
export async function acquireSession(settings: AcquireSettings, from: Loaded, dead: Set<string>): Promise<Loaded> {
  const waiting = new Waiting(settings);
  try {
    return await acquireSessionBy(waiting, settings, from, dead);
  } finally {
    waiting.end();
  }
}

async function acquireSessionBy(
  waiting: Waiting,
  settings: AcquireSettings,
  from: Loaded,
  dead: Set<string>,
): Promise<Loaded> {
  for (let loaded = from; ; loaded = await load(settings)) {
    // After an unverified state this run may write nothing, so it waits for no session.
    if (loaded.seal === "locked") return loaded;
    const { open } = loaded.head;
    if (!open || dead.has(open.session) || isAbandoned(open.session)) return loaded;
    const end = settings.leftBehind?.(open.session);
    if (end) {
      await end();
      continue;
    }
    const { owner } = open.record;
    const known = fate(owner, settings.here);
    if (known === "gone" || (await waiting.waitFor(loaded.head, open, known === "runs")) === "silent") {
      dead.add(open.session);
      settings.events.emit("state:taken-over", heldBy(stageHolder(open, settings.here)));
      if (hasRebooted(owner, settings.here)) warnOfReboot(settings, open);
      return loaded;
    }
  }
}

function hasRebooted(owner: ProcessIdentity, here: ProcessIdentity): boolean {
  return owner.machine !== undefined && owner.machine === here.machine && owner.boot !== here.boot;
}

/** A store that does not sync every write may have lost the newest ones with the machine, and nothing can prove it. */
function warnOfReboot({ events, app, stage }: AcquireSettings, open: OpenSession): void {
  events.warn(
    "REBOOTED",
    `This machine was restarted while ${describeOwner(open.record.owner)} was changing "${app}/${stage}". The last changes of that run may be missing from the state. Compare the state with the real resources: engine drift.`,
  );
}

class Waiting {
  readonly #settings: AcquireSettings;
  readonly #deadline: number;
  #session: string | undefined;
  #held: Held | undefined;
  #pause = SHORTEST_PAUSE;
  /** Aborts at the end, if the store listens. Most runs never wait. */
  #over: AbortController | undefined;
  /** Aborts when the store reports that the session has ended. Used once: then only looks can tell more. */
  #woken: AbortController | undefined;

  constructor(settings: AcquireSettings) {
    this.#settings = settings;
    this.#deadline = settings.clock.now() + settings.lockTimeout;
  }

  /** Emits that the wait is over, whatever its outcome. */
  end(): void {
    this.#over?.abort();
    if (this.#held) this.#settings.events.emit("state:waited", this.#held);
  }

  /**
   * Waits for a sign of life. A running process on this machine needs no watching; neither does a session that has
   * shown a sign of life or began meanwhile.
   */
  async waitFor(head: Head, open: OpenSession, runsHere: boolean): Promise<"moved" | "silent"> {
    const { events, signal, clock } = this.#settings;
    const isAlive = runsHere || this.#session !== undefined;
    const timeout = isAlive ? this.#deadline - clock.now() : Number.POSITIVE_INFINITY;
    if (timeout <= 0) throw tooLate(this.#settings, open);
    if (open.session !== this.#session) {
      this.#held = heldBy(stageHolder(open, this.#settings.here));
      events.emit("state:waiting", this.#held);
      this.#session = open.session;
      this.#pause = SHORTEST_PAUSE;
      this.#listen(open.session);
    }
    const { owner } = open.record;
    const journal = new JournalEnd(this.#settings, head);
    let looks = 0;
    const sign = async (): Promise<string | undefined> => {
      const life = fate(owner, this.#settings.here);
      // A process that is gone need not be watched: each sign differs from the last, which ends the watch.
      const end = life === "gone" ? looks++ : "";
      const left = this.#settings.leftBehind?.(open.session) ? "left" : "";
      const lease = this.#settings.store.get(this.#settings.keys.lease(open.session));
      const [beats, hasMoved] = await Promise.all([lease, journal.hasMoved()]);
      return hasMoved ? undefined : `${life}${end}${left}|${beats}`;
    };
    const sleep: Clock["sleep"] = (milliseconds) => this.#sleep(milliseconds);
    const waking = { now: () => clock.now(), sleep };
    const seen = await watch({ sign, ttl: ttlOf(open.record), timeout, signal, clock: waking });
    if (seen === "late") throw tooLate(this.#settings, open);
    if (seen === "moved") await this.#rest();
    return seen;
  }

  #listen(session: string): void {
    const { store, keys } = this.#settings;
    if (!store.whenDeleted) return;
    const woken = new AbortController();
    this.#woken = woken;
    this.#over ??= new AbortController();
    store.whenDeleted(keys.lease(session), this.#over.signal).then(() => woken.abort(), ignore);
  }

  /** Ends early if the store has reported the end of the session. */
  async #sleep(milliseconds: number): Promise<void> {
    const { clock, signal } = this.#settings;
    const woken = this.#woken?.signal;
    if (!woken) return clock.sleep(milliseconds, signal);
    try {
      await clock.sleep(milliseconds, AbortSignal.any([signal, woken]));
    } catch (error) {
      if (signal.aborted || !woken.aborted) throw error;
      this.#woken = undefined;
    }
  }

  async #rest(): Promise<void> {
    const left = this.#deadline - this.#settings.clock.now();
    if (left > 0) await this.#sleep(Math.min(this.#pause, left));
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }
}

/** The end of the journal at the time of the load. Any write moves it, also between that load and the first check. */
class JournalEnd {
  readonly #location: LedgerLocation;
  readonly #head: Head;
  /** Length of the entry at the time of the load. */
  #length: number | undefined;

  constructor(location: LedgerLocation, head: Head) {
    this.#location = location;
    this.#head = head;
  }

  async hasMoved(): Promise<boolean> {
    const { store, keys } = this.#location;
    const { seq, grows } = this.#head;
    const [entry, next] = await Promise.all([store.get(keys.entry(seq)), store.get(keys.entry(seq + 1))]);
    // If it is gone, the next one may be gone, too: later sessions have trimmed both.
    if (next !== undefined || entry === undefined) return true;
    if (grows) this.#length ??= this.#isAsLoaded(entry) ? entry.length : -1;
    return grows && entry.length !== this.#length;
  }

  #isAsLoaded(entry: string): boolean {
    return readSegment(this.#head.seq, entry)?.lines.length === this.#head.lines;
  }
}

function tooLate(settings: AcquireSettings, open: OpenSession): EngineError {
  const holder = stageHolder(open, settings.here);
  return locked(
    settings,
    holder,
    `, which started at ${holder.since}. Wait until that run has ended, or let your run wait for it (option lockTimeout, --lock-timeout 5m). If its process is dead, the next run takes over once the process has been silent for ${holder.ttl / 1000} s. If you know that the process is gone, "engine state unlock" releases the stage at once.`,
  );
}
