/** Earlier names of resources: a record under an alias is taken over by the resource that lists it. */
import { EngineError } from "../base/index.js";
import { formerKeysIn, fqnIn, INTERNALS, type Scope } from "../contract/index.js";

interface Rooted {
  readonly root: Scope;
}

/** The move of one alias, from when it is applied until its records are under the new name. */
export interface Move {
  /** Uids of the moving records. */
  uids: ReadonlySet<string>;
  /** The move that must end first, because its records are in the way. */
  waitsFor?: Move | undefined;
  readonly ended: Promise<void>;
}

/** The earlier names that declarations list, and the records taken over, in one run. */
export class Aliases {
  readonly moves = new Set<Move>();
  readonly #claims = new Map<string, string>();
  /** Shortcuts through the claims to the final name. */
  #ends = new Map<string, string>();
  readonly #moved = new Map<string, string>();
  /** New scopes by their earlier paths. */
  readonly scopesByFormerPath = new Map<string, Scope>();
  /** Keys of resources in whose handlers an earlier name was declared. */
  readonly #homes = new Set<string>();

  /** @throws EngineError `ALIAS_CONFLICT` if names form a circle, or two resources list the same one */
  claim(app: Rooted, scope: Scope, key: string, aliases: readonly string[]): void {
    if (aliases.length > 0) this.#note(scope);
    for (const alias of aliases) {
      // Another resource may have taken it over because of its scope's alias.
      const other = this.#claims.get(alias) ?? this.#moved.get(alias);
      if (other !== undefined && other !== key) throw claimedTwice(app, alias, other, key);
      const end = this.#endOf(key);
      if (end === alias) throw inCircle(app, [alias, ...this.#chainOf(key)]);
      this.#claims.set(alias, key);
      this.#ends.set(alias, end);
    }
  }

  /** Returns the final name; each name on the way points there directly from then on. */
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

  /** @throws EngineError `ALIAS_CONFLICT` if the record of a declaration's name was taken over by another resource */
  check(app: Rooted, key: string, scope: Scope, id: string): void {
    if (this.#moved.size === 0) return;
    for (const name of [key, ...formerKeysIn(scope, id)]) {
      const heir = this.#moved.get(name);
      if (heir !== undefined && heir !== key) throw takenOver(app, name, heir);
    }
  }

  move(from: string, to: string): void {
    this.#moved.set(from, to);
  }

  inherit(path: string, heir: Scope): void {
    this.#note(heir);
    this.scopesByFormerPath.set(path, heir);
  }

  /**
   * Removes the earlier names that the last call of a handler declared, because it is called again. Returns false if it
   * declared none.
   */
  forget(home: string): boolean {
    if (!this.#homes.delete(home)) return false;
    for (const names of [this.#claims, this.#moved]) {
      for (const [name, key] of names) if (key.startsWith(`${home}/`)) names.delete(name);
    }
    for (const [path, heir] of this.scopesByFormerPath)
      if (heir[INTERNALS].path.startsWith(`${home}/`)) this.scopesByFormerPath.delete(path);
    this.#ends = new Map(this.#claims);
    return true;
  }

  #note(scope: Scope): void {
    for (let around: Scope | undefined = scope; around; around = around.parent) {
      const { resource } = around[INTERNALS];
      if (resource) this.#homes.add(resource.key);
    }
  }
}

function claimedTwice({ root }: Rooted, alias: string, first: string, second: string): EngineError {
  const message = `"${fqnIn(root, first)}" and "${fqnIn(root, second)}" both have the alias "${fqnIn(root, alias)}", but only one of them can take over that record. Remove the alias from the other one.`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn: fqnIn(root, second) });
}

function inCircle({ root }: Rooted, keys: readonly string[]): EngineError {
  const names = keys.map((key) => `"${fqnIn(root, key)}"`).join(" → ");
  const message = `Aliases form a circle: ${names}. First rename one of these resources to an unused name, and run "engine up".`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn: fqnIn(root, keys[0] ?? "") });
}

/** @param there record at the new name of a record that an alias moves */
export function aliasBlocked({ root }: Rooted, alias: string, heir: string, there: string): EngineError {
  const [before, now, taken] = [alias, heir, there].map((key) => fqnIn(root, key));
  const message = `"${now}" cannot take over the record of "${before}" and its children, because "${taken}" is recorded as well. Nothing was moved. Give "${now}" another id, or first delete "${taken}" with a run that declares "${before}" and not "${taken}".`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn: now });
}

/** The error of a create that waited while an alias moved a record to its name. */
export function movedHere({ root }: Rooted, key: string): EngineError {
  const fqn = fqnIn(root, key);
  const message = `"${fqn}" was not created: while it waited, another resource took over a record under its alias, and with that move a record got the name "${fqn}". Declare and await the resource with the alias first, or give one of the two another id.`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn });
}

/** The error of a declaration that comes after another one with its name as an alias, which was applied already. */
function takenOver({ root }: Rooted, alias: string, heir: string): EngineError {
  const [before, now] = [alias, heir].map((key) => fqnIn(root, key));
  const message = `"${now}" took over the record of its alias "${before}" in this run, but the program also declares "${before}". Give one of them another id. If the alias is a mistake, remove it and run: engine state move ${now} ${before}`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn: before });
}

export function stillDeclared({ root }: Rooted, alias: string, heir: string): EngineError {
  const message = `"${fqnIn(root, heir)}" takes over the record of "${fqnIn(root, alias)}", but the program also declares "${fqnIn(root, alias)}". Remove the alias, or give one of the two another id.`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn: fqnIn(root, alias) });
}

export function scopeClaimedTwice({ root }: Rooted, alias: string, first: string, second: string): EngineError {
  const message = `The scopes "${fqnIn(root, first)}" and "${fqnIn(root, second)}" both have the alias "${fqnIn(root, alias)}", but only one of them can take over those records. Remove the alias from the other one.`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn: fqnIn(root, second) });
}

export function scopeStillRun({ root }: Rooted, alias: string, heir: string): EngineError {
  const message = `The scope "${fqnIn(root, heir)}" takes over the records in "${fqnIn(root, alias)}", but the program also runs that scope. Remove the alias, or give one of them another name.`;
  return new EngineError("ALIAS_CONFLICT", message, { fqn: fqnIn(root, alias) });
}
