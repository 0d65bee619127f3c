/** What to do about a session that is open when we come: wait, give up, or take over. */
import { EngineError } from "../errors.js";
import type { EventBus } from "../events.js";
import { fate, type ProcessIdentity } from "../process/identity.js";
import type { OpenSession } from "./head.js";
import { watch } from "./lease.js";
import { type LedgerPlace, type Loaded, load } from "./load.js";

export interface TurnSettings extends LedgerPlace {
  readonly here: ProcessIdentity;
  /** Milliseconds to wait for a living owner. */
  readonly lockTimeout: number;
  readonly events: EventBus;
  readonly signal: AbortSignal;
}

/**
 * Resolves with a load whose session is closed or whose owner is dead.
 *
 * @param mine sessions that need no waiting: begun by this run, or found dead before
 * @throws EngineError `STATE_LOCKED` when the owner lives and `lockTimeout` has passed
 */
export async function awaitTurn(settings: TurnSettings, from: Loaded, mine: Set<string>): Promise<Loaded> {
  const started = performance.now();
  let loaded = from;
  for (;;) {
    const { open } = loaded.head;
    if (!open || mine.has(open.session)) return loaded;
    const verdict = await judge(settings, loaded, open, settings.lockTimeout - (performance.now() - started));
    if (verdict === "dead") {
      mine.add(open.session);
      const { owner } = open.record;
      settings.events.emit("state:taken-over", { owner: describe(open), since: owner.since });
      return loaded;
    }
    loaded = await load(settings);
  }
}

async function judge(
  settings: TurnSettings,
  loaded: Loaded,
  open: OpenSession,
  patience: number,
): Promise<"dead" | "moved"> {
  const known = fate(open.record.owner, settings.here);
  if (known === "gone") return "dead";
  // A running process on this machine needs no watching: nobody waits for it unless asked to.
  if (known === "runs" && patience <= 0) throw locked(settings, open);
  settings.events.emit("state:waiting", { owner: describe(open), since: open.record.owner.since });
  const { ttl } = open.record;
  const verdict = await watch({
    sign: () => signOf(settings, loaded, open.session),
    ttl,
    signal: settings.signal,
    now: () => performance.now(),
  });
  if (verdict === "silent") return "dead";
  const next = await load(settings);
  if (next.head.open?.session === open.session && patience <= 0) throw locked(settings, open);
  return "moved";
}

/** The owner's counter and the journal's end: whatever it does moves one of them. */
async function signOf({ store, keys }: LedgerPlace, { head }: Loaded, session: string): Promise<string> {
  const [lease, entry, next] = await Promise.all([
    store.get(keys.lease(session)),
    head.grows ? store.get(keys.entry(head.seq)) : undefined,
    store.has(keys.entry(head.seq + 1)),
  ]);
  return `${lease ?? ""}|${entry?.length ?? ""}|${next}`;
}

function describe({ record }: OpenSession): string {
  const { user, host, pid, ci } = record.owner;
  return `${user}@${host} (process ${pid}${ci ? `, ${ci}` : ""})`;
}

function locked({ app, stage }: LedgerPlace, open: OpenSession): EngineError {
  return new EngineError(
    "STATE_LOCKED",
    `"${app}/${stage}" is being changed by ${describe(open)} since ${open.record.owner.since}. Wait for it, or give lockTimeout (--lock-timeout 5m). If it is dead, its lease runs out within ${open.record.ttl / 1000} s; "engine state unlock" ends it at once.`,
  );
}
