/** Invariants of every contention, whatever happened to the processes; each returns its violations. */

import type { ResourceRecord } from "../../core/contract/index.js";
import { advance, type Change, emptyHead, follows, type Head } from "../../core/state/index.js";
import { type History, tenures } from "./contention-history.js";
import type { WorldLine } from "./contention-messages.js";

type Effect = Extract<WorldLine, { at: "start" | "end" }>;
export type Oracle = (history: History) => string[];

/** Each accepted line follows the one before, and belongs to the session that is open at that moment. */
const oneAtATime: Oracle = ({ accepted }) => {
  const wrong: string[] = [];
  let head: Head = emptyHead("app", "dev");
  for (const line of accepted) {
    const { entry } = line;
    if (!follows(head, entry)) wrong.push(`a line of entry ${entry.seq} follows no other`);
    if (!entry.open && entry.session !== head.open?.session) wrong.push(`${entry.session} wrote entry ${entry.seq}`);
    head = advance(head, line);
  }
  return wrong;
};

/** The store acknowledged writes to the same entry to one session at most. */
const ownPlaces: Oracle = ({ world }) => {
  const owners = new Map<number, string>();
  return world.flatMap((line) => {
    if (line.at !== "acknowledged") return [];
    const owner = owners.get(line.seq) ?? line.session;
    owners.set(line.seq, owner);
    return owner === line.session ? [] : [`${owner} and ${line.session} both wrote entry ${line.seq}`];
  });
};

/** Every line that the store acknowledged is accepted; after its fence, a session gets no acknowledgement. */
const acknowledgedCounts: Oracle = ({ world, accepted }) => {
  const place = (session: string, seq: number): string => `${session} in entry ${seq}`;
  const there = countOf(accepted.map(({ entry }) => place(entry.session, entry.seq)));
  const told = countOf(world.flatMap((line) => (line.at === "acknowledged" ? place(line.session, line.seq) : [])));
  return [...told].flatMap(([name, count]) => {
    const counts = there.get(name) ?? 0;
    return counts < count ? [`of ${count} lines acknowledged to ${name} only ${counts} count`] : [];
  });
};

/** No handler starts before its intent is accepted. */
const intentsFirst: Oracle = (history) => {
  const intents = changesOf(history, (record) => record.status !== "ready" && valueIn(record.props));
  return effects(history, "start").flatMap(({ session, id, value }) =>
    intents.has(`${session} ${id} ${value}`) ? [] : [`${session} began ${id} (${value}) without an intent`],
  );
};

/**
 * Each result of a process that was not killed is recorded, by itself or by the reader of its recovery file, or kept in
 * that file.
 */
const resultsKept: Oracle = (history) => {
  const changes = changesOf(history, (record) => record.status === "ready" && valueIn(record.output));
  const results = new Set([...changes].map((change) => change.slice(change.indexOf(" ") + 1)));
  const killed = pidsOf(history, ({ signal }) => signal === "SIGKILL");
  return effects(history, "end").flatMap(({ session, pid, id, value }) => {
    const isKept = results.has(`${id} ${value}`) || history.recovered.get(session)?.includes(value);
    return isKept || killed.has(pid) ? [] : [`${session} did ${id} (${value}), and nothing tells`];
  });
};

/** Once another session has begun to act, one handler at most may be about to begin: its intent was in time. */
const stopsInTime: Oracle = (history) => {
  const order = new Map([...tenures(history).keys()].map((session, index) => [session, index]));
  const late = new Map<string, number>();
  let newest = 0;
  for (const { session } of effects(history, "start")) {
    const at = order.get(session) ?? 0;
    if (at < newest) late.set(session, (late.get(session) ?? 0) + 1);
    newest = Math.max(newest, at);
  }
  return [...late].flatMap(([session, count]) => (count > 1 ? [`${session} went on with ${count} handlers`] : []));
};

/** A process that was fenced reports it and fails; every other one that was not killed succeeds. */
const fencedFail: Oracle = (history) => {
  const fenced = new Set<number>();
  const sessions = [...tenures(history)];
  for (const [index, [session, entries]] of sessions.entries()) {
    const pid = effects(history, "start").find((effect) => effect.session === session)?.pid;
    const isClosed = entries.some(({ close }) => close);
    if (pid !== undefined && !isClosed && index < sessions.length - 1) fenced.add(pid);
  }
  return history.ends.flatMap(({ pid, code, signal, stderr }) => {
    if (signal === "SIGKILL") return [];
    const isSaid = code !== 0 && stderr.includes("Another run has taken over");
    if (fenced.has(pid)) return isSaid ? [] : [`process ${pid} was fenced and ended with ${code ?? signal}: ${stderr}`];
    return code === 0 || isSaid ? [] : [`process ${pid} ended with ${code ?? signal}: ${stderr}`];
  });
};

/** In a stage that has a key, each line with a change has a seal. */
const sealed: Oracle = ({ bare }) => [...bare];

/** All writers have the key, and no older state was put back: so no run reports either. */
const believed: Oracle = ({ world }) =>
  world.flatMap((line) => (line.at === "doubted" ? [`process ${line.pid} was told ${line.code}`] : []));

export const ORACLES: Readonly<Record<string, Oracle>> = {
  oneAtATime,
  ownPlaces,
  acknowledgedCounts,
  intentsFirst,
  resultsKept,
  stopsInTime,
  fencedFail,
  sealed,
  believed,
};

/** By the oracle's name; oracles without a violation are left out. */
export function violations(history: History): Record<string, string[]> {
  const found = Object.entries(ORACLES).map(([name, oracle]) => [name, oracle(history)] as const);
  return Object.fromEntries(found.filter(([, wrong]) => wrong.length > 0));
}

function effects({ world }: History, at: Effect["at"]): Effect[] {
  return world.flatMap((line) => (line.at === at ? [line as Effect] : []));
}

function pidsOf({ ends }: History, which: (end: History["ends"][number]) => boolean): Set<number> {
  return new Set(ends.filter(which).map(({ pid }) => pid));
}

/** `session key value` of each change that leaves a record with a `value`. */
function changesOf(history: History, value: (record: Partial<ResourceRecord>) => string | false): Set<string> {
  const found = new Set<string>();
  const keyOf = new Map<string, string>();
  for (const { entry } of history.accepted) {
    for (const change of entry.ops ?? []) {
      const [uid, record] = recordIn(change);
      if (record.key !== undefined) keyOf.set(uid, record.key);
      const told = value(record);
      if (told !== false) found.add(`${entry.session} ${keyOf.get(uid)} ${told}`);
    }
  }
  return found;
}

function recordIn(change: Change): [uid: string, record: Partial<ResourceRecord>] {
  if (change.op === "put") return [change.record.uid, change.record];
  return change.op === "patch" ? [change.uid, change.set ?? {}] : ["", {}];
}

function valueIn(encoded: ResourceRecord["output"]): string | false {
  const hasValue = typeof encoded === "object" && encoded !== null && "value" in encoded;
  return hasValue && typeof encoded.value === "string" ? encoded.value : false;
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
