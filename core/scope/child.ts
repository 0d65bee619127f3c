/** Child scopes: made once per name. */

import { checkName, EngineError, isSameList } from "../base/index.js";
import { INTERNALS, type Scope, type ScopeOptions } from "../contract/index.js";
import { dropUndefined } from "../options/index.js";
import { claimFormerPaths, formerPathsOf } from "./former-paths.js";
import { hostOf, type ScopeHost } from "./host.js";
import { makeScope } from "./scope-at.js";

/** The child of a name, made at the first call. @throws EngineError `INVALID_NAME`, `INVALID_OPTION`, `DUPLICATE_ID`, `ALIAS_CONFLICT` */
export async function childScope(parent: Scope, name: string, overrides: ScopeOptions): Promise<Scope> {
  checkName("scope name", name);
  const app = hostOf(parent);
  await app.ready();
  const existing = parent.children.get(name);
  if (existing) {
    checkAgain(parent, existing, overrides);
    await preparations.get(existing);
    return existing;
  }
  const child = makeScope(parent, name, overrides);
  claimFormerPaths(app, child);
  parent.children.set(name, child);
  if (child[INTERNALS].formerPaths.length > 0 || app.calls.scopeCreated.used) await prepare(app, child, parent);
  app.events.emit("scope:created", { fqn: child.chain.join("/") });
  return child;
}

/**
 * Gives a new scope what is recorded under its earlier names, and calls `scopeCreated`, before anything runs in it. Where a plugin
 * refuses, the scope is not made.
 */
async function prepare(app: ScopeHost, child: Scope, parent: Scope): Promise<void> {
  const preparation = app.enterByAlias(child).then(() => app.calls.scopeCreated.call({ scope: child }));
  preparations.set(child, preparation);
  try {
    await preparation;
  } catch (error) {
    parent.children.delete(child.name);
    throw error;
  }
}

const preparations = new WeakMap<Scope, Promise<void>>();

/** A new generation of declarations begins. */
export function forgetDeclarations(scope: Scope): void {
  scope.resources.clear();
  for (const child of scope.children.values()) forgetDeclarations(child);
  scope.children.clear();
}

function checkAgain(parent: Scope, existing: Scope, overrides: ScopeOptions): void {
  const fqn = existing.chain.join("/");
  if (existing[INTERNALS].resource && existing[INTERNALS].resource !== existing.parent?.[INTERNALS].resource) {
    throw new EngineError(
      "DUPLICATE_ID",
      `"${fqn}" is both a scope and a resource with children. Rename one of them.`,
      {
        fqn,
      },
    );
  }
  const { options, formerPaths }: { options: object; formerPaths: readonly string[] } = existing[INTERNALS];
  for (const [name, value] of Object.entries(dropUndefined(overrides))) {
    const isSame =
      name === "aliases"
        ? isSameList(formerPaths, formerPathsOf(parent, existing.name, value))
        : Reflect.get(options, name) === value;
    if (isSame) continue;
    throw new EngineError(
      "INVALID_OPTION",
      `Scope "${fqn}" was made with another value of "${name}". Give options at its first run only.`,
      {
        fqn,
      },
    );
  }
}
