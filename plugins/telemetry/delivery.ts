/** Delivers the events of a run to a sink. Loaded only if there is one. */
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
  /** Stops waiting: events that the sink did not accept are kept for a later run. */
  end(): void;
}

export interface DeliveryParts {
  readonly env: Environment;
  readonly open: () => Promise<TelemetrySink>;
  /** Prints a line for the user. */
  readonly say: (line: string) => void;
}

const NOTICE =
  "This tool sends anonymous statistics about its runs, such as duration, number of changed resources, error codes and versions. " +
  "It never sends names or contents. Set ENGINE_TELEMETRY_DEBUG=1 to print the statistics instead of sending them. " +
  "Run `engine telemetry disable` or set DO_NOT_TRACK=1 to switch telemetry off. This message is shown once.";

/** @returns undefined if the user does not want telemetry, or if no ID can be kept */
export async function openDelivery({ env, open, say }: DeliveryParts): Promise<Delivery | undefined> {
  const folder = configFolder(env);
  if (folder === undefined) return undefined;
  if (isOnlyShown(env)) return readPreference(env).enabled === false ? undefined : shown(say);
  const userId = known?.folder === folder && monotonicNow() < known.until ? known.userId : whose(folder, env, say);
  if (userId === undefined) return undefined;
  known ??= { folder, userId, until: monotonicNow() + KNOWN_FOR };
  return new SinkDelivery(await open(), { folder, userId, say });
}

/** Milliseconds until a process with many runs reads the user's files again. */
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
    // Sending would be aborted at once.
    if (isSpent() || this.#over.signal.aborted) return keepBacklog(this.#folder, [own]);
    await Promise.all([this.#early, this.#post([own])]);
  }

  end(): void {
    this.#over.abort();
    keepBacklog(this.#folder, [...this.#untaken]);
    this.#untaken.clear();
  }

  /** Prepares the sink and sends older events while the run is in progress. */
  async #begin(): Promise<void> {
    const old = takeBacklog(this.#folder, this.#sink.name);
    for (const batch of old) this.#untaken.add(batch);
    try {
      await this.#sink.prepare?.(this.#over.signal);
    } catch (error) {
      // Sending will fail as well. A missing package is reported, because the user can install it.
      if (hasCode(error, "PACKAGE_MISSING")) this.#say(`Telemetry was not sent: ${messageOf(error)}`);
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
      // A later run sends the events.
    }
  }
}

/** Milliseconds between two reads of the file, and between two writes. */
const PAUSE = 60_000;

let inMemory: readonly Batch[] = [];

let taken = Number.NEGATIVE_INFINITY;

let kept = Number.NEGATIVE_INFINITY;

/** Returns the events that wait for a sink; none if this process took some less than {@link PAUSE} ago. */
function takeBacklog(folder: string, to: string): readonly Batch[] {
  const now = monotonicNow();
  if (now - taken < PAUSE) return [];
  taken = now;
  const mine = inMemory.filter((batch) => batch.to === to);
  inMemory = inMemory.filter((batch) => batch.to !== to);
  return [...takeFromSpool(folder, to), ...mine];
}

/** Keeps events for a later run of this process or of another one. */
function keepBacklog(folder: string, batches: readonly Batch[]): void {
  const now = monotonicNow();
  if (batches.length === 0) return;
  inMemory = [...inMemory, ...batches].slice(-MOST_BATCHES);
  if (now - kept < PAUSE) return;
  kept = now;
  keepInSpool(folder, inMemory);
  inMemory = [];
}
