/** Invariants of the world, the state and the warnings. Each returns a line for every violation. */

import { memoryStore } from "../../adapters/memory/index.js";
import type { Plan, PlannedAction, ResourceRecord } from "../../core/contract/index.js";
import { type Contents, type Loaded, ledgerKeys, load } from "../../core/state/index.js";
import type { SimulatedStore } from "../../plugins/testing/simulation/simulated-store.js";
import type { Deed, Warning } from "./deploy.ts";
import { heldBack } from "./held-back.ts";
import type { StageName } from "./history.ts";
import { canRead, isIdempotent } from "./kinds.ts";
import { declarationsIn, type KindName, type Program } from "./program.ts";
import { type Call, saysOf, type Thing } from "./thing.ts";

/** The warning about a requested retry. */
export const RETRYING = "RETRYING";

type Things = ReadonlyMap<string, Thing>;

/** The state as a run would load it. */
export async function stateIn(store: SimulatedStore, stage: StageName = "dev"): Promise<Loaded> {
  const copy = memoryStore();
  for (const [key, value] of store.values) await copy.set(key, value);
  return load({ store: copy, keys: ledgerKeys("app", stage), app: "app", stage, keep: 3 });
}

interface AtRest {
  readonly state: Loaded;
  readonly things: Things;
  readonly told: readonly Warning[];
  readonly calls: readonly Call[];
  /** A power loss may have removed the intent of a delete. */
  readonly hasCrashed: boolean;
}

/** At any time: no resource is lost, and every recorded one exists. */
export function atRest({ state, things, told, calls, hasCrashed }: AtRest): string[] {
  const { contents } = state;
  const missing = hasCrashed ? [] : gone(contents, things);
  return [...lost(contents, things, told, calls), ...twice(things), ...missing, ...misremembered(contents, things)];
}

/** Every existing resource is recorded, perhaps as pending, unless a warning reported it or it is foreign. */
function lost({ records }: Contents, things: Things, told: readonly Warning[], calls: readonly Call[]): string[] {
  return [...things.values()]
    .filter((thing) => {
      const record = records.get(thing.uid);
      if (record && (record.status !== "ready" || thingOf(record) === thing.name)) return false;
      if (thing.isStray || thing.released || thing.isForeign) return false;
      return !isToldOf(thing, told, calls);
    })
    .map(({ name, fqn }) => `lost: ${name} of ${fqn} is there, and neither recorded nor pending`);
}

/**
 * A create was repeated although its result was unknown, or was left with an unknown result, and a warning reported
 * that.
 */
function isToldOf({ fqn, kind, uid }: Thing, told: readonly Warning[], calls: readonly Call[]): boolean {
  if (canRead(kind)) return false;
  // An alias may have given it another name meanwhile.
  const names = new Set([fqn, ...calls.filter((call) => call.uid === uid).map((call) => call.fqn)]);
  const about = told.filter((warning) => names.has(warning.fqn ?? "")).map(({ code }) => code);
  if (about.includes("UNRESOLVED")) return true;
  const creates = calls.filter((call) => call.uid === uid && call.phase === "create");
  const repeats = isIdempotent(kind) ? new Set(creates.map(({ token }) => token)).size - 1 : creates.length - 1;
  return repeats > 0 && about.some((code) => code === "REPEATED_CREATE" || code === RETRYING);
}

/** A resource that can be recognised exists once. */
function twice(things: Things): string[] {
  const seen = new Map<string, Thing>();
  return [...things.values()].flatMap((thing) => {
    if (thing.isStray || thing.released || (!canRead(thing.kind) && !isIdempotent(thing.kind))) return [];
    const name = canRead(thing.kind) ? thing.uid : thing.token;
    const other = seen.get(name);
    seen.set(name, thing);
    return other ? [`twice: ${other.name} and ${thing.name} are one resource`] : [];
  });
}

function gone({ records }: Contents, things: Things): string[] {
  return (
    [...records.values()]
      .filter(
        (record) => record.status === "ready" && !things.has(thingOf(record)) && !record.kind.endsWith(":verified"),
      )
      // Its delete threw, and may have taken effect.
      .filter(({ deleteFailed }) => deleteFailed === undefined)
      .map(({ key }) => `gone: ${key} is recorded, and not there`)
  );
}

/** The record of a resource has the output of its last create or change; and a name belongs to one resource. */
function misremembered({ records }: Contents, things: Things): string[] {
  const names = new Map<string, string>();
  return [...records.values()].flatMap((record) => {
    const { key, uid, status, output, replaced } = record;
    const thing = things.get(thingOf(record));
    const other = replaced ? undefined : names.get(key);
    if (!replaced) names.set(key, uid);
    if (other !== undefined) return [`twice: ${other} and ${uid} are both recorded as ${key}`];
    // An old copy is only to be deleted: an interrupted update of it, which may have taken effect, is not continued.
    if (replaced || status !== "ready" || !thing || thing.isDoubtful || thing.released || thing.uid !== uid) return [];
    const says = saysOf(thing);
    const recorded = Reflect.get(Object(output), "says");
    return recorded === says ? [] : [`other: ${key} is recorded to say "${recorded}", and says "${says}"`];
  });
}

function thingOf({ output }: ResourceRecord): string {
  return String(Reflect.get(Object(output), "thing"));
}

interface Converged {
  readonly program: Program;
  readonly state: Loaded;
  readonly things: Things;
  readonly told: readonly Warning[];
}

/** After a complete run: each resource of the program exists as declared, and no other does. */
export function converged({ program, state, things }: Converged): string[] {
  const { records } = state.contents;
  const held = heldBack(records.values());
  const problems: string[] = [];
  const ids = new Set<string>();
  for (const { id, value, name } of declarationsIn(program, true)) {
    ids.add(id);
    const own = [...records.values()].filter(({ key, replaced }) => key.split("/").at(-1) === id && !replaced);
    // If deletes are held back, its earlier forms exist, too.
    const ready = own.filter(({ status }) => status === "ready").slice(0, held.size > 0 ? undefined : 1);
    const found = ready.map((record) => things.get(thingOf(record))?.value);
    const says = `${value} ${name}`;
    const isRight = found.some((text) => text?.startsWith(`${says} `) || text?.startsWith(`secret ${name} `));
    if (ready.length === 0) problems.push(`missing: ${id} is ${own[0]?.status ?? "not recorded"}`);
    else if (!isRight) problems.push(`wrong: ${id} is ${found[0] ?? "not there"} and should be ${says}`);
  }
  for (const { key, uid, status, replaced } of records.values()) {
    const id = key.split("/").at(-1) ?? "";
    if (held.has(uid) || (ids.has(id) && !replaced)) continue;
    problems.push(`left: ${key} is recorded (${replaced ? "an old copy" : status}), and not declared any more`);
  }
  return problems;
}

/** Declared, and its type cannot tell whether a delete took effect: a person has to check, and forget or keep it. */
export function needsPerson(program: Program, { contents }: Loaded): boolean {
  const ids = new Set(declarationsIn(program, true).map(({ id }) => id));
  return [...contents.records.values()].some(
    ({ key, kind, status, replaced, deleteFailed }) =>
      (status === "deleting" || deleteFailed !== undefined) &&
      !replaced &&
      ids.has(key.split("/").at(-1) ?? "") &&
      !canRead(kind.slice(kind.indexOf(":") + 1) as KindName),
  );
}

/**
 * After a destroy: the state has no records, except those with an unknown result, and those that they may depend on.
 */
export function leftBehind({ contents }: Loaded): string[] {
  const held = heldBack(contents.records.values());
  const left = [...contents.records.values()].filter(({ uid }) => !held.has(uid));
  return left.length === 0 ? [] : [`left: ${left.map(({ key }) => key).join(", ")} after all was destroyed`];
}

const DONE: Readonly<Record<string, string>> = {
  create: "created",
  update: "updated",
  replace: "replaced",
  adopt: "adopted",
  delete: "deleted",
};

/**
 * The run after a plan did what the plan says, and nothing else; a plan cannot foresee the declarations of handlers.
 */
export function keptPlan(plan: Plan, deeds: readonly Deed[], { records }: Contents): string[] {
  if (plan.stopped !== undefined || plan.errors.length > 0) return [];
  const isPart = (fqn: string): boolean =>
    [...records.values()].some(({ key, parent }) => parent !== undefined && `app/dev/${key}` === fqn) ||
    plan.actions.some((action) => fqn.startsWith(`${action.fqn}/`)) ||
    plan.unknown.some((note) => note.fqn === fqn);
  const whole = deeds.filter(({ fqn }) => !isPart(fqn));
  const unplanned = whole.filter(
    ({ fqn, action }) => !plan.actions.some((planned) => planned.fqn === fqn && foretells(planned, action)),
  );
  // Only the run shows that the program does not declare it again, so that it is waited for.
  const isWaiting = heldBack(records.values()).size > 0;
  const undone = plan.actions.filter(
    ({ fqn, action, certain }) =>
      certain &&
      !(isWaiting && action === "delete") &&
      !isPart(fqn) &&
      !deeds.some((deed) => deed.fqn === fqn && isLike(DONE[action], deed.action)),
  );
  return [
    ...unplanned.map(({ fqn, action }) => `unplanned: ${fqn} was ${action}, and the plan did not say so`),
    ...undone.map(({ fqn, action }) => `undone: the plan said ${action} of ${fqn}, which was not done`),
  ];
}

/**
 * A resource that `read` finds is updated or adopted although the plan could only announce a create, and the other way
 * round.
 */
function foretells({ action, mayReplace }: PlannedAction, done: string): boolean {
  // The replace also deletes the old copy.
  return isLike(DONE[action], done) || (mayReplace && done === "deleted");
}

function isLike(planned: string | undefined, done: string): boolean {
  if (planned === done || (planned === "replaced" && done === "deleted")) return true;
  const makes = ["created", "updated", "adopted", "replaced"];
  return planned !== undefined && makes.includes(planned) && makes.includes(done);
}
