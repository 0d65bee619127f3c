/** Child scopes: made once per name. */
import { checkName, EngineError, isSameList, joined, typeName } from "../base/index.js";
import { folderOf, fqnIn, INTERNALS, idOf, Scope, type ScopeOptions } from "../contract/index.js";
import { dropUndefined, scopeOptions } from "../options/index.js";
import { type App, appOf, type Run, scopeClaimedTwice, scopeStillRun } from "../run/index.js";

/**
 * Returns the child scope of a name, created at the first call.
 *
 * @throws EngineError `INVALID_NAME`, `INVALID_OPTION`, `DUPLICATE_ID`, `ALIAS_CONFLICT`
 */
export async function childScope(parent: Scope, name: string, overrides: ScopeOptions): Promise<Scope> {
  checkName("scope name", name);
  const app = appOf(parent);
  await app.ready();
  const existing = parent.children.get(name);
  if (existing) {
    checkAgain(parent, existing, overrides);
    await preparations.get(existing);
    return existing;
  }
  const child = makeScope(parent, name, overrides);
  claimFormerPaths(app, child);
  attachScope(parent, child);
  if (child[INTERNALS].formerPaths.length > 0 || app.calls.scopeCreated.used) await prepare(app, child, parent);
  app.events.emit("scope:created", { fqn: fqnIn(parent, name) });
  return child;
}

/**
 * Gives a new scope the records and data under its earlier names, and calls `scopeCreated`, before any function runs in
 * it. If a plugin refuses, the scope is not created.
 */
async function prepare(app: App, child: Scope, parent: Scope): Promise<void> {
  const preparation = app.enterByAlias(child).then(() => app.calls.scopeCreated.call({ scope: child }));
  preparations.set(child, preparation);
  try {
    await preparation;
  } catch (error) {
    detach(parent, child.name);
    throw error;
  }
}

const preparations = new WeakMap<Scope, Promise<void>>();

/** Removes all declarations and child scopes, because a new run begins. */
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
      `Scope "${fqn}" was created with another value of "${name}". Pass options only to the first engine.run() with this name.`,
      {
        fqn,
      },
    );
  }
}

/** Scopes by path, as {@link scopeAt} has found them since one was last attached or detached. */
const found = new WeakMap<Run, Map<string, Scope>>();

/** Maximum number of kept scopes. */
const MOST_FOUND = 1_000;

export function attachScope(parent: Scope, child: Scope): void {
  parent.children.set(child.name, child);
  found.delete(appOf(parent).run);
}

function detach(parent: Scope, name: string): void {
  parent.children.delete(name);
  found.delete(appOf(parent).run);
}

/** Removes scopes of an earlier call of a resource's handler; the next call gets those that it enters again. */
export function forgetScopes(parent: Scope, key: string): void {
  const { run } = appOf(parent);
  const id = idOf(key);
  if (run.aliases.forget(key)) found.delete(run);
  if (parent.children.get(id)?.[INTERNALS].resource?.key === key) detach(parent, id);
}

/**
 * Returns the scope at a path, whether or not the program has entered it in this run. At a former path it has the
 * options of the renamed scope.
 */
export function scopeAt(app: App, path: string): Scope {
  const known = found.get(app.run) ?? new Map<string, Scope>();
  found.set(app.run, known);
  const missing: string[] = [];
  let at = path;
  for (; at !== "" && !known.has(at); at = folderOf(at)) missing.push(at);
  let scope = known.get(at) ?? app.root;
  if (known.size > MOST_FOUND) known.clear();
  for (const one of missing.reverse()) {
    const name = idOf(one);
    scope = scope.children.get(name) ?? standIn(scope, name);
    known.set(one, scope);
  }
  return scope;
}

function standIn(parent: Scope, name: string): Scope {
  const { app, path } = parent[INTERNALS];
  const at = joined(path, name);
  const newOwner = appOf(parent).run.aliases.scopesByFormerPath.get(at);
  if (!newOwner) return makeScope(parent, name, {});
  const { options } = newOwner[INTERNALS];
  return Scope.make(name, name, parent, { app, options, path: at, formerPaths: [], resource: undefined });
}

/** @throws EngineError `INVALID_OPTION`, `INVALID_NAME`, `UNKNOWN_VALUE` */
function makeScope(parent: Scope, name: string, overrides: ScopeOptions): Scope {
  const { app, options, path, resource } = parent[INTERNALS];
  return Scope.make(name, name, parent, {
    app,
    options: scopeOptions(options, overrides),
    path: joined(path, name),
    formerPaths: formerPathsOf(parent, name, overrides.aliases),
    resource,
  });
}

// Former paths of a scope, from before the program gave it its present name.

const NONE: readonly string[] = Object.freeze([]);

/**
 * Combines each present or former name of the scope with each present or former path of its parent, except the present
 * path.
 *
 * @throws EngineError `INVALID_OPTION`, `INVALID_NAME`, `UNKNOWN_VALUE`; `ALIAS_CONFLICT` for a scope that names itself
 */
function formerPathsOf(parent: Scope, name: string, aliases: unknown = NONE): readonly string[] {
  const { path, formerPaths } = parent[INTERNALS];
  const given = checked(parent.fqn(name), aliases);
  if (formerPaths.length === 0 && given.length === 0) return NONE;
  const names = [name, ...given.filter(isName)];
  const inside = [path, ...formerPaths].flatMap((folder) => names.map((one) => joined(folder, one)));
  const elsewhere = given.filter((alias) => !isName(alias)).map((alias) => pathOf(parent, alias));
  const present = joined(path, name);
  if (given.includes(name) || elsewhere.includes(present)) throw ofItself(parent.fqn(name));
  return [...new Set([...inside, ...elsewhere])].filter((one) => one !== present);
}

function isName(alias: string): boolean {
  return !alias.includes("/");
}

function checked(fqn: string, aliases: unknown): readonly string[] {
  if (!isListOfTexts(aliases)) {
    const got = Array.isArray(aliases) ? "has an item that is not a string" : `is ${typeName(aliases)}`;
    const message = `Option "aliases" of the scope "${fqn}" ${got}. It must be a list of names in the same scope, or FQNs of scopes.`;
    throw new EngineError("INVALID_OPTION", message, { fqn });
  }
  for (const part of aliases.flatMap((alias) => alias.split("/"))) checkName("scope name", part);
  return aliases;
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** @throws EngineError `INVALID_OPTION` for a name in another app or stage */
function pathOf({ root }: Scope, alias: string): string {
  const stage = `${root.chain.join("/")}/`;
  if (alias.startsWith(stage)) return alias.slice(stage.length);
  const message = `The alias "${alias}" is neither the name of a scope nor an FQN in "${root.chain.join("/")}". Pass a former name in the same scope, or the former FQN.`;
  throw new EngineError("INVALID_OPTION", message);
}

/**
 * @throws EngineError `ALIAS_CONFLICT` if the program also runs a scope of that name, or another one has the same alias
 */
export function claimFormerPaths(app: App, scope: Scope): void {
  const { aliases } = app.run;
  const { scopesByFormerPath } = aliases;
  const { path, formerPaths } = scope[INTERNALS];
  const newOwner = scopesByFormerPath.get(path);
  if (newOwner) throw scopeStillRun(app, path, newOwner[INTERNALS].path);
  for (const former of formerPaths) {
    const other = scopesByFormerPath.get(former)?.[INTERNALS].path ?? path;
    if (other !== path) throw scopeClaimedTwice(app, former, other, path);
    if (isEntered(app, former)) throw scopeStillRun(app, former, path);
  }
  for (const former of formerPaths) aliases.inherit(former, scope);
}

function isEntered({ root }: App, path: string): boolean {
  let scope: Scope | undefined = root;
  for (const name of path.split("/")) scope = scope?.children.get(name);
  return scope !== undefined;
}

function ofItself(fqn: string): EngineError {
  const message = `The scope "${fqn}" has its own name as an alias. Pass the names that it had before.`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn });
}
