/** Scopes for looking at what is recorded at a path. */

import { joined } from "../base/index.js";
import { INTERNALS, Scope, type ScopeOptions } from "../contract/index.js";
import { scopeOptions } from "../options/index.js";
import { formerPathsOf } from "./former-paths.js";
import { hostOf, type ScopeHost } from "./host.js";

/** The scope at a path, whether the program has entered it in this run or not; at a former path it has the options of its heir. */
export function scopeAt(app: ScopeHost, path: string): Scope {
  let scope = app.root;
  for (const name of path === "" ? [] : path.split("/")) {
    scope = scope.children.get(name) ?? standIn(scope, name);
  }
  return scope;
}

function standIn(parent: Scope, name: string): Scope {
  const { app, path } = parent[INTERNALS];
  const at = joined(path, name);
  const heir = hostOf(parent).generation.aliases.heirs.get(at);
  if (!heir) return makeScope(parent, name, {});
  const { options } = heir[INTERNALS];
  return Scope.make(name, name, parent, { app, options, path: at, formerPaths: [], resource: undefined });
}

/** @throws EngineError `INVALID_OPTION`, `INVALID_NAME`, `UNKNOWN_VALUE` */
export function makeScope(parent: Scope, name: string, overrides: ScopeOptions): Scope {
  const { app, options, path, resource } = parent[INTERNALS];
  return Scope.make(name, name, parent, {
    app,
    options: scopeOptions(options, overrides),
    path: joined(path, name),
    formerPaths: formerPathsOf(parent, name, overrides.aliases),
    resource,
  });
}
