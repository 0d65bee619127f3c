/** Invariants of an observation; each returns a line for every violation. Pure. */

import type { ResourceRecord } from "../../core/contract/index.js";
import { comparePositions } from "../../core/order/index.js";
import type { Call, Thing } from "./file-world.js";
import { DOUBTS } from "./seals.js";
import type { Seen } from "./seen.js";

export type Oracle = (seen: Seen) => readonly string[];

/** The state loads, and every digest in it fits. */
export const loads: Oracle = ({ damage }) => (damage === undefined ? [] : [damage]);

/** Every resource in the world is recorded, or pending. */
export const known: Oracle = (seen) =>
  seen.things
    .filter(
      (thing) => !isRecorded(thing, recordsOf(seen, thing.uid)) && !isKept(seen, thing) && !isExcused(seen, thing),
    )
    .map(({ thing }) => `${thing} is there, and neither recorded nor pending`);

/** No run has doubted its state: that of a stage without a key gives no reason. */
export const trusted: Oracle = ({ warnings }) =>
  warnings.filter(({ code }) => DOUBTS.includes(code)).map(({ code }) => `a run was told ${code}`);

/** Every call that began in the last run and has not ended is pending, under the token that the handler saw. */
export const intended: Oracle = (seen) =>
  callsUnderWay(seen)
    .filter(({ op }) => op !== "read")
    .flatMap(({ op, fqn, uid, token }) => {
      const found = recordsOf(seen, uid).some((record) => record.status === STATUS[op] && record.token === token);
      return found ? [] : [`${op} of ${fqn} was under way, and is not pending`];
    });

/**
 * For programs that declare nothing before the earlier resources exist: when a handler begins, every earlier result is
 * durable.
 */
export const inTurn: Oracle = (seen) => {
  const calls = lastRun(seen).filter(({ op }) => op !== "read");
  const last = calls.findLastIndex(({ edge }) => edge === "begins");
  return calls.slice(0, Math.max(last, 0)).flatMap(({ edge, op, fqn, uid, token }) => {
    if (edge !== "ends") return [];
    const isPending = recordsOf(seen, uid).some((record) => record.status === STATUS[op] && record.token === token);
    return isPending ? [`${op} of ${fqn} had ended when the next handler began, and was still pending`] : [];
  });
};

/** After an end that let the run record its results: no finished call is pending, and the session is closed. */
export const drained: Oracle = (seen) => [
  ...(seen.isOpen ? ["the session is still open"] : []),
  ...lastRun(seen)
    .filter(({ edge, op }) => edge === "ends" && op !== "read")
    .filter(({ op, uid, token }) =>
      recordsOf(seen, uid).some((record) => record.status === STATUS[op] && record.token === token),
    )
    .map(({ op, fqn }) => `${op} of ${fqn} had ended, and is still pending`),
];

/** If a type can prevent it, nothing is made twice: for one token, or while `read` can tell. */
export const once: Oracle = ({ calls }) => {
  const made = new Set<string>();
  return calls.flatMap(({ edge, kind, fqn, uid, token }) => {
    const name = canRead(kind) ? uid : token;
    // A deleted resource is made again under its uid.
    if (edge === "removed") made.delete(name);
    if (edge !== "made" || kind === "faults:Blind") return [];
    const isTwice = made.has(name);
    made.add(name);
    return isTwice ? [`${fqn} (${uid}) was made twice`] : [];
  });
};

/** If a resource may exist twice, a run has warned of it. */
export const surfaced: Oracle = (seen) => {
  const silent = seen.calls.filter(({ op, fqn, kind, uid }) => {
    if (op !== "create" || canRead(kind)) return false;
    const told = seen.warnings.filter((warning) => warning.code === "REPEATED_CREATE" && warning.fqn === fqn).length;
    return told < repeatsOf(seen, uid);
  });
  return [...new Set(silent.map(({ fqn }) => `${fqn} was created again, and nobody was told`))];
};

/** After a complete run: recorded resources exist as recorded, and everything pending was reported. */
export const settled: Oracle = (seen) => [
  ...(seen.isOpen ? ["the last session is still open"] : []),
  ...seen.records
    .filter((record) => !isUnresolved(seen, record) && !(record.replaced && isHeldUp(seen, record)))
    .flatMap((record) => {
      if (record.status !== "ready") return [`${record.key} is still ${record.status}`];
      if (record.replaced) return [`an old copy of ${record.key} is still recorded`];
      const { thing } = record.output as { readonly thing: string };
      return seen.things.some((other) => other.thing === thing) ? [] : [`${record.key} is recorded, and gone`];
    }),
];

/** Differences between the existing contents and the expected ones. */
export function differences(seen: Seen, expected: readonly string[]): readonly string[] {
  const found = contentOf(seen);
  const left = contentOf({ ...seen, things: seen.things.filter((thing) => !isHeldUp(seen, thing)) });
  return [
    ...expected.filter((line) => !found.includes(line)).map((line) => `${line} is missing`),
    ...left.filter((line) => !expected.includes(line)).map((line) => `${line} is left over`),
    // Two copies of one resource that a third was to replace may be held up, and look alike.
    ...(new Set(left).size === left.length ? [] : ["something is there twice"]),
  ];
}

/** The existing contents without the excused ones, so that they can be compared with those of another run. */
export function contentOf(seen: Seen): readonly string[] {
  const things = seen.things.filter((thing) => !isExcused(seen, thing));
  return [
    ...things.map(({ kind, fqn, value }) => `${kind} ${fqn} ${JSON.stringify(value)}`),
    ...Object.entries(seen.data).map(([name, value]) => `data ${name} ${JSON.stringify(value)}`),
  ].sort();
}

/** A resource made before one whose existence is unknown: the latter may need it, so it stays. */
function isHeldUp(seen: Seen, { uid }: Pick<Thing, "uid">): boolean {
  const stuck = seen.records.filter((record) => isUnresolved(seen, record));
  return recordsOf(seen, uid).some(({ done }) => done && stuck.some(({ ready }) => comparePositions(done, ready) < 0));
}

const STATUS: Readonly<Record<string, string>> = { create: "creating", update: "updating", delete: "deleting" };

function lastRun({ calls }: Seen): readonly Call[] {
  const last = calls.at(-1)?.run;
  return calls.filter(({ run }) => run === last);
}

function callsUnderWay(seen: Seen): readonly Call[] {
  const calls = lastRun(seen);
  return calls.filter(
    (call, index) =>
      call.edge === "begins" &&
      !calls.slice(index).some((later) => later.uid === call.uid && later.op === call.op && isEnd(later)),
  );
}

function isEnd({ edge }: Call): boolean {
  return edge === "ends" || edge === "fails";
}

function recordsOf({ records }: Seen, uid: string): readonly ResourceRecord[] {
  return records.filter((record) => record.uid === uid);
}

function isRecorded({ thing }: Thing, records: readonly ResourceRecord[]): boolean {
  return records.some(
    ({ status, output }) => status !== "ready" || (output as { readonly thing: string }).thing === thing,
  );
}

/** `read` finds the result of an interrupted create. */
function canRead(kind: string): boolean {
  return kind === "faults:Read" || kind === "faults:Fixed" || kind === "faults:Named" || kind === "faults:Dual";
}

/** A second create with the same token is harmless, and the engine knows that. */
function isIdempotent(kind: string): boolean {
  return kind === "faults:Token" || kind === "faults:Nest";
}

/** Number of repeated creates, without harmless ones. */
function repeatsOf(seen: Seen, uid: string): number {
  const creates = seen.calls.filter((call) => call.uid === uid && call.op === "create" && call.edge === "begins");
  const tokens = new Set(creates.map(({ token }) => token));
  return creates.every(({ kind }) => isIdempotent(kind)) ? tokens.size - 1 : creates.length - 1;
}

/**
 * The result of a create that was repeated, or whose result is unknown: `surfaced` checks that a run has reported it.
 */
function isExcused(seen: Seen, one: Thing): boolean {
  const { kind, uid, thing } = one;
  if (kind === "faults:Named") return isNobodys(seen, one);
  if (canRead(kind)) return false;
  const records = recordsOf(seen, uid);
  if (records.some((record) => isUnresolved(seen, record))) return true;
  const isTheOne = records.some(({ output }) => (output as { readonly thing?: string } | undefined)?.thing === thing);
  return repeatsOf(seen, uid) > 0 && !isTheOne;
}

/**
 * It existed before, and has not been adopted. A resource that was made in the last run, or that is recorded, has an
 * owner.
 */
function isNobodys(seen: Seen, thing: Thing): boolean {
  return !isKept(seen, thing) && !lastRun(seen).some(({ uid, edge }) => uid === thing.uid && edge === "made");
}

/** A record names it, though an adopted resource may not know its owner yet. */
function isKept({ records }: Seen, { thing }: Pick<Thing, "thing">): boolean {
  return records.some(({ output }) => (output as { readonly thing?: string } | undefined)?.thing === thing);
}

/** Its existence is unknown, and the last run has reported that. */
function isUnresolved({ warnings, run }: Seen, { status, kind, key }: ResourceRecord): boolean {
  if (status !== "creating" || canRead(kind) || isIdempotent(kind)) return false;
  return warnings.some((told) => told.run === run && told.code === "UNRESOLVED" && told.fqn === `app/dev/${key}`);
}
