/** Child scopes: made once per name, or only for looking at what is recorded below a path. */
import type { App } from "../app.js";
import { EngineError } from "../errors.js";
import type { ScopeOptions } from "../options.js";
import { dropUndefined, scopeOptions } from "../resolve-options.js";
import { INTERNALS } from "./internals.js";
import { checkName } from "./names.js";
import { Scope } from "./scope.js";

/** The child of a name, made at the first call. @throws EngineError `INVALID_NAME`, `INVALID_OPTION`, `DUPLICATE_ID` */
export async function childScope(parent: Scope, name: string, overrides: ScopeOptions): Promise<Scope> {
  checkName("scope name", name);
  const { app } = parent[INTERNALS];
  await app.ready();
  const existing = parent.children.get(name);
  if (existing) {
    checkAgain(existing, overrides);
    await announcements.get(existing);
    return existing;
  }
  const child = makeChild(parent, name, overrides);
  parent.children.set(name, child);
  if (app.calls.scopeCreated.used) await announce(app, child, parent);
  app.events.emit("scope:created", { fqn: child.chain.join("/") });
  return child;
}

/** Nobody enters a scope before plugins have heard of it, and there is none where one of them refuses. */
async function announce(app: App, child: Scope, parent: Scope): Promise<void> {
  const announcement = app.calls.scopeCreated.call({ scope: child });
  announcements.set(child, announcement);
  try {
    await announcement;
  } catch (error) {
    parent.children.delete(child.name);
    throw error;
  }
}

const announcements = new WeakMap<Scope, Promise<void>>();

/** The scope at a path, whether the program has entered it in this run or not. */
export function scopeAt(app: App, path: string): Scope {
  let scope = app.root;
  for (const name of path === "" ? [] : path.split("/")) {
    scope = scope.children.get(name) ?? makeChild(scope, name, {});
  }
  return scope;
}

function makeChild(parent: Scope, name: string, overrides: ScopeOptions): Scope {
  const { app, options, path, resource } = parent[INTERNALS];
  return Scope.make(name, name, parent, {
    app,
    options: scopeOptions(options, overrides),
    path: path === "" ? name : `${path}/${name}`,
    resource,
  });
}

/** A new generation of declarations begins. */
export function forgetDeclarations(scope: Scope): void {
  scope.resources.clear();
  for (const child of scope.children.values()) forgetDeclarations(child);
  scope.children.clear();
}

function checkAgain(existing: Scope, overrides: ScopeOptions): void {
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
  const before: object = existing[INTERNALS].options;
  for (const [name, value] of Object.entries(dropUndefined(overrides))) {
    if (Reflect.get(before, name) === value) continue;
    throw new EngineError(
      "INVALID_OPTION",
      `Scope "${fqn}" was made with another value of "${name}". Give options at its first run only.`,
      {
        fqn,
      },
    );
  }
}
