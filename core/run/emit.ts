/**
 * Events about every resource. Member by member: an object that is copied and then added to, and frozen after that, is of a kind
 * of its own, and takes five times as long to make and to read.
 */

import type { Action, ResourceRef } from "../base/index.js";
import { safePath } from "../codec/index.js";
import type { Admission } from "./admission.js";
import type { App } from "./app.js";

type Finished = "resource:created" | "resource:updated" | "resource:replaced" | "resource:adopted" | "resource:deleted";

type Times = Pick<Admission, "waited" | "duration">;

/** In a plan nothing waits. */
export function emitQueued(app: App, { kind, id, fqn, quiet }: ResourceRef, action: Action): void {
  if (!app.generation.performer.acts) return;
  app.events.emit("resource:queued", quiet ? { kind, id, fqn, quiet, action } : { kind, id, fqn, action });
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
  app.events.emit("resource:skipped", quiet ? { kind, id, fqn, quiet } : { kind, id, fqn });
}

/** @param paths of the output, as JSON Pointers; undefined: it is gone */
export function emitDrift(app: App, ref: ResourceRef, paths: readonly string[] | undefined): void {
  const shown = (paths ?? []).map((path) => safePath(path, app.redact));
  app.events.emit("resource:drifted", { ...ref, gone: paths === undefined, paths: shown });
}
