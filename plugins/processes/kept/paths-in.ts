import { INTERNALS, type Scope } from "../../../core/contract/index.js";
import type { ProcessPaths } from "../process-paths.js";

/** Where the files of a process of a scope are. */
export function pathsIn(scope: Scope, id: string): ProcessPaths {
  const { rootDir, appName: app, stage } = scope;
  return { rootDir, app, stage, path: scope[INTERNALS].path, id };
}
