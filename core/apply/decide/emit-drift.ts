import type { ResourceRef } from "../../base/index.js";
import { safePath } from "../../render/index.js";
import type { App } from "../../run/index.js";

/** @param paths of the output, as JSON Pointers; undefined: it is gone */
export function emitDrift(app: App, ref: ResourceRef, paths: readonly string[] | undefined): void {
  const shown = (paths ?? []).map((path) => safePath(path, app.redact));
  app.events.emit("resource:drifted", { ...ref, gone: paths === undefined, paths: shown });
}
