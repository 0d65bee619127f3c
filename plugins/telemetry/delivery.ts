/** Brings what is told of a run to where it goes. Loaded only where something does. */
import { configFolder, type Environment, hasCode, messageOf, monotonicNow } from "../../core/base/index.js";
import type { TelemetrySink } from "../../core/contract/index.js";
import { anonymousId, readPreference } from "./anonymous-id.js";
import { isSpent } from "./hold-time.js";
import type { AnonymousEvent } from "./run-events.js";
import { type Batch, keepInSpool, MOST_BATCHES, takeFromSpool } from "./spool.js";
import { isOnlyShown } from "./switches.js";

export interface Delivery {
  /** Settles when there is nothing left to wait for. Never rejects. */
  send(events: readonly AnonymousEvent[]): Promise<void>;
  /** Nobody waits any longer: what was not taken is kept for a later run. */
  end(): void;
}

export interface DeliveryParts {
  readonly env: Environment;
  readonly open: () => Promise<TelemetrySink>;
  /** To the user. */
  readonly say: (line: string) => void;
}

const NOTICE =
  "This tool sends anonymous figures about its runs: how long they take, how many resources they change, codes of errors; " +
  "never names or contents. ENGINE_TELEMETRY_DEBUG=1 shows them instead; `engine telemetry disable` or DO_NOT_TRACK=1 " +
  "switches it off. This is said once.";

/** @returns undefined where the user does not want it, or where no id can be kept */
export async function openDelivery({ env, open, say }: DeliveryParts): Promise<Delivery | undefined> {
  const folder = configFolder(env);
  if (folder === undefined) return undefined;
  if (isOnlyShown(env)) return readPreference(env).enabled === false ? undefined : shown(say);
  const userId = known?.folder === folder && monotonicNow() < known.until ? known.userId : whose(folder, env, say);
  if (userId === undefined) return undefined;
  known ??= { folder, userId, until: monotonicNow() + KNOWN_FOR };
  return new SinkDelivery(await open(), { folder, userId, say });
}

/** Milliseconds for which a process of many runs does not look at the user's files again. */
const KNOWN_FOR = 60_000;

let known: { readonly folder: string; readonly userId: string; readonly until: number } | undefined;

function whose(folder: string, env: Environment, say: (line: string) => void): string | undefined {
  known = undefined;
  return readPreference(env).enabled === false ? undefined : anonymousId(folder, () => say(NOTICE));
}

function shown(say: (line: string) => void): Delivery {
  return {
    async send(events) {
      for (const event of events) say(`telemetry: ${JSON.stringify(event)}`);
    },
    end() {},
  };
}

interface Recipient {
  readonly folder: string;
  readonly userId: string;
  readonly say: (line: string) => void;
}

class SinkDelivery implements Delivery {
  readonly #sink: TelemetrySink;
  readonly #folder: string;
  readonly #userId: string;
  readonly #say: (line: string) => void;
  readonly #over = new AbortController();
  readonly #untaken = new Set<Batch>();
  readonly #early: Promise<void>;

  constructor(sink: TelemetrySink, { folder, userId, say }: Recipient) {
    this.#sink = sink;
    this.#folder = folder;
    this.#userId = userId;
    this.#say = say;
    this.#early = this.#begin();
  }

  async send(events: readonly AnonymousEvent[]): Promise<void> {
    const own = { to: this.#sink.name, events: events.map((event) => ({ ...event, userId: this.#userId })) };
    // It would be given up at once.
    if (isSpent() || this.#over.signal.aborted) return keepBacklog(this.#folder, [own]);
    await Promise.all([this.#early, this.#post([own])]);
  }

  end(): void {
    this.#over.abort();
    keepBacklog(this.#folder, [...this.#untaken]);
    this.#untaken.clear();
  }

  /** While the run is under way. */
  async #begin(): Promise<void> {
    const old = takeBacklog(this.#folder, this.#sink.name);
    for (const batch of old) this.#untaken.add(batch);
    try {
      await this.#sink.prepare?.(this.#over.signal);
    } catch (error) {
      // Then sending fails as well; only who has asked for it can mend this.
      if (hasCode(error, "PACKAGE_MISSING")) this.#say(`Telemetry is not sent. ${messageOf(error)}`);
    }
    if (old.length > 0) await this.#post(old);
  }

  async #post(batches: readonly Batch[]): Promise<void> {
    for (const batch of batches) this.#untaken.add(batch);
    try {
      await this.#sink.send(
        batches.flatMap(({ events }) => events),
        this.#over.signal,
      );
      for (const batch of batches) this.#untaken.delete(batch);
    } catch {
      // A later run tries again.
    }
  }
}

/** Milliseconds between two looks at the file, and between two writes. */
const PAUSE = 60_000;

let inMemory: readonly Batch[] = [];

let taken = Number.NEGATIVE_INFINITY;

let kept = Number.NEGATIVE_INFINITY;

/** What waits for a sink; nothing where this process has taken something just now. */
function takeBacklog(folder: string, to: string): readonly Batch[] {
  const now = monotonicNow();
  if (now - taken < PAUSE) return [];
  taken = now;
  const mine = inMemory.filter((batch) => batch.to === to);
  inMemory = inMemory.filter((batch) => batch.to !== to);
  return [...takeFromSpool(folder, to), ...mine];
}

/** Until a later run of this process, or of another. */
function keepBacklog(folder: string, batches: readonly Batch[]): void {
  const now = monotonicNow();
  if (batches.length === 0) return;
  inMemory = [...inMemory, ...batches].slice(-MOST_BATCHES);
  if (now - kept < PAUSE) return;
  kept = now;
  keepInSpool(folder, inMemory);
  inMemory = [];
}
