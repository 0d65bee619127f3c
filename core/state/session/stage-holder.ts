/** Whose session is open, out of its first entry: as data, and for people. */
import { EngineError, fate, type ProcessIdentity, type StageHolder } from "../../base/index.js";
import type { Held } from "../../contract/index.js";
import type { OpenSession } from "../journal/head.js";
import type { LedgerLocation } from "../ledger-location.js";
import { ttlOf } from "../ttl.js";

export function stageHolder({ session, record }: OpenSession, here: ProcessIdentity): StageHolder {
  const { owner, command, version } = record;
  const { user, host, pid, since, ci } = owner;
  const by = { user, host, pid, since, ...(ci === undefined ? {} : { ci }) };
  return { session, command, ...by, process: fate(owner, here), ttl: ttlOf(record), version };
}

/** An owner, for people. */
export function describeOwner({ user, host, pid, ci }: Pick<StageHolder, "user" | "host" | "pid" | "ci">): string {
  return `${user}@${host} (process ${pid}${ci ? `, ${ci}` : ""})`;
}

/** A stage that is held, as events tell it. */
export function heldBy(holder: StageHolder): Held {
  return { owner: describeOwner(holder), since: holder.since, holder };
}

/** @param what is to be done about it, after the owner and since when that is at work */
export function locked(
  { app, stage }: Pick<LedgerLocation, "app" | "stage">,
  holder: StageHolder,
  what: string,
): EngineError {
  return new EngineError("STATE_LOCKED", `"${app}/${stage}" is being changed by ${describeOwner(holder)}${what}`, {
    holder,
  });
}
