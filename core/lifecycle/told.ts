/**
 * What observers are told of every resource. Member by member: an object that is copied and then added to, and frozen
 * after that, is of a kind of its own, and takes five times as long to make and to read.
 */
import type { App } from "../app.js";
import type { EngineEvents } from "../events.js";
import { monotonicNow } from "../monotonic.js";
import type { ResourceRef } from "../vocabulary.js";

type Finished = "resource:created" | "resource:updated" | "resource:replaced" | "resource:adopted" | "resource:deleted";

export function tellStarted(app: App, ref: ResourceRef, action: EngineEvents["resource:started"]["action"]): void {
  const { kind, id, fqn, quiet } = ref;
  app.events.emit("resource:started", quiet ? { kind, id, fqn, quiet, action } : { kind, id, fqn, action });
}

/** @param started by the monotonic clock */
export function tellFinished(app: App, name: Finished, ref: ResourceRef, started: number): void {
  const { kind, id, fqn, quiet } = ref;
  const duration = monotonicNow() - started;
  app.events.emit(name, quiet ? { kind, id, fqn, quiet, duration } : { kind, id, fqn, duration });
}

export function tellSkipped(app: App, { kind, id, fqn, quiet }: ResourceRef): void {
  app.events.emit("resource:skipped", quiet ? { kind, id, fqn, quiet } : { kind, id, fqn });
}
