/**
 * Events about every resource. Objects are written member by member: copying, extending and freezing an object gives it
 * a shape of its own, which takes five times as long to create and to read.
 */
import type { Action, ResourceRef } from "../base/index.js";
import { safePath } from "../codec/index.js";
import { type DefinedHandlers, type Encoded, folderOf, type Position, type ResourceRecord } from "../contract/index.js";
import type { Change } from "../state/index.js";
import type { Admission } from "./admission.js";
import type { App } from "./app.js";

type Finished = "resource:created" | "resource:updated" | "resource:replaced" | "resource:adopted" | "resource:deleted";

type Times = Pick<Admission, "waited" | "duration">;

/** Emits `resource:queued` unless the run is a plan, in which nothing waits. */
export function emitQueued(app: App, { kind, id, fqn, quiet }: ResourceRef, action: Action): void {
  const { events } = app.run.performer;
  events.emit("resource:queued", quiet ? { kind, id, fqn, quiet, action } : { kind, id, fqn, action });
}

export function emitStarted(app: App, ref: ResourceRef, action: Action, { waited }: Times): void {
  const { kind, id, fqn, quiet } = ref;
  const event = quiet ? { kind, id, fqn, quiet, action, waited } : { kind, id, fqn, action, waited };
  app.events.emit("resource:started", event);
}

export function emitFinished(app: App, name: Finished, ref: ResourceRef, { duration, waited }: Times): void {
  const { kind, id, fqn, quiet } = ref;
  app.events.emit(name, quiet ? { kind, id, fqn, quiet, duration, waited } : { kind, id, fqn, duration, waited });
}

export function emitSkipped(app: App, { kind, id, fqn, quiet }: ResourceRef): void {
  app.events.emit("resource:unchanged", quiet ? { kind, id, fqn, quiet } : { kind, id, fqn });
}

/** @param paths of the output, as JSON Pointers; undefined: the resource is gone */
export function emitDrift(app: App, ref: ResourceRef, paths: readonly string[] | undefined): void {
  const shown = (paths ?? []).map((path) => safePath(path, app.redact));
  app.events.emit("resource:drifted", { ...ref, gone: paths === undefined, paths: shown });
}

/**
 * Ignores a failure to record: a ledger that can write no more ends the run itself, and the present error says more
 * about the resource.
 */
export async function tryToRecord(app: App, changes: readonly Change[]): Promise<void> {
  await app.record(changes)?.catch(() => {});
}

// Resources whose handlers have succeeded while children or deferred functions are unfinished. Until these are done,
// the resources are recorded as `updating`. Otherwise a run that ends before would leave a resource that looks
// finished, whose handler is not called again, and whose children only this handler can declare.

/**
 * True if a handler has succeeded and some of its children or deferred functions are unfinished. False for a type
 * without update: no later call could finish them.
 */
export function isPartial({ run }: App, key: string, { update }: Pick<DefinedHandlers, "update">): boolean {
  return update !== undefined && !run.isWhole(key);
}

/** @param done absent if it has not resolved to the program, and was found to be its own */
export function partlyDone({ uid, props, claim }: ResourceRecord, output: Encoded, done?: Position): Change {
  const known = { status: "updating", output, attempt: 0, lastGood: { props } } as const;
  const set = done ? { ...known, done } : ({ ...known, claim: "own" } as const);
  return { op: "patch", uid, set, unset: done && claim !== undefined ? ["error", "claim"] : ["error"] };
}

/** Records resources as settled once they are complete; called when all below a path has settled. */
export async function settlePartial(app: App, isBelow: (path: string) => boolean): Promise<void> {
  const { run, ledger } = app;
  const mine = [...run.partial].filter(([key]) => isBelow(folderOf(key)));
  const changes: Change[] = [];
  // Children first: their keys are longer.
  for (const [key, uid] of mine.sort(([one], [other]) => other.length - one.length)) {
    if (!run.isWhole(key)) continue;
    run.partial.delete(key);
    const record = ledger.contents.at(key);
    if (record?.uid !== uid || record.status !== "updating") continue;
    changes.push({ op: "patch", uid, set: { status: "ready" }, unset: ["lastGood", "since"] });
  }
  if (changes.length > 0) await app.record(changes);
}
