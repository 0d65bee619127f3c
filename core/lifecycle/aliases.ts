/** Earlier names of resources: what is recorded under one becomes the resource's that names it. */
import type { App } from "../app.js";
import { EngineError } from "../errors.js";
import { formerKeysIn, fqnIn, INTERNALS, keyIn } from "../scope/internals.js";
import type { Scope } from "../scope/scope.js";
import type { ResourceRecord } from "../state/record.js";
import { oldHomeOf, oldPart } from "./old-copies.js";
import type { Declaration } from "./task.js";

/** Which declaration lists an earlier name, and what was taken over, in one generation. */
export class Aliases {
  readonly #claims = new Map<string, string>();
  /** Where names have led to so far: only shortcuts through the claims. */
  #ends = new Map<string, string>();
  readonly #moved = new Map<string, string>();
  /** Scopes that have an earlier name, by the paths that they had under it. */
  readonly heirs = new Map<string, Scope>();
  /** Resources in whose handlers something has an earlier name, by key. */
  readonly #homes = new Set<string>();

  /** @throws EngineError `ALIAS_CONFLICT` where names lead in a circle, or two resources list one */
  claim(app: App, scope: Scope, key: string, aliases: readonly string[]): void {
    if (aliases.length > 0) this.#note(scope);
    for (const alias of aliases) {
      // Another may have taken it over for the sake of its scope.
      const other = this.#claims.get(alias) ?? this.#moved.get(alias);
      if (other !== undefined && other !== key) throw claimedTwice(app, alias, other, key);
      const end = this.#endOf(key);
      if (end === alias) throw inCircle(app, [alias, ...this.#chainOf(key)]);
      this.#claims.set(alias, key);
      this.#ends.set(alias, end);
    }
  }

  /** What a name is in the end; each name on the way leads there at once from then on. */
  #endOf(name: string): string {
    const passed: string[] = [];
    let end = name;
    for (let next = this.#ends.get(end); next !== undefined; next = this.#ends.get(end)) {
      passed.push(end);
      end = next;
    }
    for (const each of passed) this.#ends.set(each, end);
    return end;
  }

  #chainOf(name: string): readonly string[] {
    const chain: string[] = [];
    for (let at: string | undefined = name; at !== undefined; at = this.#claims.get(at)) chain.push(at);
    return chain;
  }

  /** @throws EngineError `ALIAS_CONFLICT` where what a declaration is named after has been given away */
  check(app: App, key: string, scope: Scope, id: string): void {
    if (this.#moved.size === 0) return;
    for (const name of [key, ...formerKeysIn(scope, id)]) {
      const heir = this.#moved.get(name);
      if (heir !== undefined && heir !== key) throw stillDeclared(app, name, heir);
    }
  }

  move(from: string, to: string): void {
    this.#moved.set(from, to);
  }

  inherit(path: string, heir: Scope): void {
    this.#note(heir);
    this.heirs.set(path, heir);
  }

  /** A handler is called again: what it said the last time of earlier names is not so any more. */
  forget(home: string): void {
    if (!this.#homes.delete(home)) return;
    for (const names of [this.#claims, this.#moved]) {
      for (const [name, key] of names) if (key.startsWith(`${home}/`)) names.delete(name);
    }
    for (const [path, heir] of this.heirs) if (heir[INTERNALS].path.startsWith(`${home}/`)) this.heirs.delete(path);
    this.#ends = new Map(this.#claims);
  }

  #note(scope: Scope): void {
    for (let around: Scope | undefined = scope; around; around = around.parent) {
      const { resource } = around[INTERNALS];
      if (resource) this.#homes.add(resource.key);
    }
  }
}

export interface Recorded {
  readonly record: ResourceRecord | undefined;
  /** The earlier name that it is recorded under. */
  readonly alias?: string;
}

/**
 * What is recorded of a declaration, under its own name or an earlier one. Changes nothing.
 *
 * @throws EngineError `ALIAS_CONFLICT`; `INVALID_OPTION` for the name of something in another app or stage
 */
export function findRecorded(declaration: Declaration): Recorded {
  const { app, key } = declaration;
  const oldHome = oldHomeOf(declaration);
  if (oldHome !== undefined) return { record: oldPart(declaration, oldHome, key) };
  const { listed, all: keys } = formerKeysOf(declaration);
  if (keys.length === 0) return { record: app.ledger.read(key) };
  app.generation.aliases.claim(app, declaration.scope, key, listed);
  const found = recordedIn(declaration, (name) => app.ledger.read(name));
  // One that has a record of its own has become it in an earlier run: the earlier name is free for another.
  const isNamed = found.record !== undefined && found.alias === undefined;
  const declared = isNamed ? undefined : keys.find((alias) => app.generation.isDeclared(alias));
  if (declared !== undefined) throw stillDeclared(app, declared, key);
  return found;
}

/** The same wherever records are looked up by their names, and whatever else the program declares. */
export function recordedIn(declaration: Declaration, at: (key: string) => ResourceRecord | undefined): Recorded {
  const record = at(declaration.key);
  if (record) return { record };
  for (const alias of formerKeysOf(declaration).all) {
    const found = at(alias);
    if (found) return { record: found, alias };
  }
  return { record };
}

const NONE: readonly string[] = Object.freeze([]);

interface FormerKeys {
  /** What it names itself. */
  readonly listed: readonly string[];
  /** These, and where they and its own id were under the earlier names of its scope: in the order in which they are looked up. */
  readonly all: readonly string[];
}

const NO_KEYS: FormerKeys = Object.freeze({ listed: NONE, all: NONE });

/** @throws EngineError `INVALID_OPTION` for the name of something in another app or stage */
function formerKeysOf({ scope, ref: { id }, options: { aliases = NONE } }: Declaration): FormerKeys {
  const hasMoved = scope[INTERNALS].formerPaths.length > 0;
  if (!hasMoved && aliases.length === 0) return NO_KEYS;
  const listed = aliases.map((alias) => keyOf(scope, alias));
  if (!hasMoved) return { listed, all: listed };
  const ids = aliases.filter((alias) => !alias.includes("/"));
  const before = ids.flatMap((alias) => formerKeysIn(scope, alias));
  return { listed, all: [...new Set([...formerKeysIn(scope, id), ...listed, ...before])] };
}

/** @throws EngineError `INVALID_OPTION` for the name of something in another app or stage */
function keyOf(scope: Scope, alias: string): string {
  if (!alias.includes("/")) return keyIn(scope, alias);
  const { root } = scope;
  const stage = `${root.chain.join("/")}/`;
  if (alias.startsWith(stage) && alias.length > stage.length) return alias.slice(stage.length);
  throw new EngineError(
    "INVALID_OPTION",
    `The alias "${alias}" is no id, and no FQN in "${root.chain.join("/")}". Give an id of the same scope, or what scope.fqn("id") gives.`,
  );
}

function claimedTwice({ root }: App, alias: string, first: string, second: string): EngineError {
  const message = `"${fqnIn(root, first)}" and "${fqnIn(root, second)}" both have the alias "${fqnIn(root, alias)}": only one of them can be what that was.`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn: fqnIn(root, second) });
}

function inCircle({ root }: App, keys: readonly string[]): EngineError {
  const names = keys.map((key) => `"${fqnIn(root, key)}"`).join(" is now ");
  const message = `Aliases lead in a circle: ${names}. Rename one of them to a name of its own first, and run up.`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn: fqnIn(root, keys[0] ?? "") });
}

function stillDeclared({ root }: App, alias: string, heir: string): EngineError {
  const message = `"${fqnIn(root, heir)}" takes over what is recorded of "${fqnIn(root, alias)}", which is declared as well. Take the alias away, or give one of them another id.`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn: fqnIn(root, alias) });
}
