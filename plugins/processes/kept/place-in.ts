import { INTERNALS, type Scope } from "../../../core/contract/index.js";
import type { Place } from "../places.js";

/** Where the files of a process of a scope are. */
export function placeIn(scope: Scope, id: string): Place {
  const { rootDir, appName: app, stage } = scope;
  return { rootDir, app, stage, path: scope[INTERNALS].path, id };
}
