/** Earlier names of resources: what is recorded under one becomes the resource's that names it. */
import type { App } from "../app.js";
import { EngineError } from "../errors.js";
import { fqnIn, keyIn } from "../scope/internals.js";
import type { Scope } from "../scope/scope.js";
import type { Change } from "../state/change.js";
import { hasForeign, type ValuePlace } from "../state/codec/place.js";
import { scopeOwner } from "../state/owner.js";
import type { Encoded, ResourceRecord } from "../state/record.js";
import { below } from "./destroy.js";
import { familyOf } from "./family.js";
import type { Declaration } from "./task.js";

/** Which declaration lists an earlier name, and what was taken over, in one generation. */
export class Aliases {
  readonly #claims = new Map<string, string>();
  readonly #moved = new Map<string, string>();

  /** @throws EngineError `ALIAS_CONFLICT` where names lead in a circle, or two resources list one */
  claim(app: App, key: string, aliases: readonly string[]): void {
    for (const alias of aliases) {
      const other = this.#claims.get(alias);
      if (other !== undefined && other !== key) throw claimedTwice(app, alias, other, key);
      const circle = [alias];
      for (let at: string | undefined = key; at !== undefined; at = this.#claims.get(at)) {
        circle.push(at);
        if (at === alias) throw inCircle(app, circle);
      }
      this.#claims.set(alias, key);
    }
  }

  /** @throws EngineError `ALIAS_CONFLICT` where what a declaration is named after has been given away */
  check(app: App, key: string): void {
    const heir = this.#moved.get(key);
    if (heir !== undefined) throw stillDeclared(app, key, heir);
  }

  move(from: string, to: string): void {
    this.#moved.set(from, to);
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
  const { app, key, scope, options } = declaration;
  if (options.aliases === undefined) return { record: app.ledger.read(key) };
  const keys = keysOf(scope, options.aliases);
  app.generation.aliases.claim(app, key, keys);
  const found = recordedIn(declaration, (name) => app.ledger.read(name));
  // One that has a record of its own has become it in an earlier run: the earlier name is free for another.
  const isNamed = found.record !== undefined && found.alias === undefined;
  const declared = isNamed ? undefined : keys.find((alias) => app.generation.isDeclared(alias));
  if (declared !== undefined) throw stillDeclared(app, declared, key);
  return found;
}

/** The same wherever records are looked up by their names, and whatever else the program declares. */
export function recordedIn(
  { scope, key, options: { aliases = [] } }: Declaration,
  at: (key: string) => ResourceRecord | undefined,
): Recorded {
  const record = at(key);
  if (record) return { record };
  for (const alias of keysOf(scope, aliases)) {
    const found = at(alias);
    if (found) return { record: found, alias };
  }
  return { record };
}

/** Moves a record with all that belongs to it; gives it under its new name. */
export async function takeOver(declaration: Declaration, alias: string): Promise<ResourceRecord | undefined> {
  const { app, key } = declaration;
  const { contents } = app.ledger;
  app.generation.aliases.move(alias, key);
  const copies = [...contents.records.values()].filter((record) => record.key === alias);
  const children = familyOf(
    contents,
    copies.map(({ uid }) => uid),
  );
  const moves = [...copies, ...children].map(
    (record): Change => ({ op: "patch", uid: record.uid, set: { key: renamed(record.key, alias, key) } }),
  );
  // Under a name without children there may be a scope that has nothing to do with it.
  const data = children.length > 0 ? await movedData(declaration, alias) : [];
  await app.record([...moves, ...data]);
  return app.ledger.read(key);
}

async function movedData({ app, scope, key, ref }: Declaration, alias: string): Promise<readonly Change[]> {
  const inside = below(scopeOwner(alias));
  const owners = [...app.ledger.contents.data].filter(([owner]) => inside(owner));
  const changes: Change[] = [];
  for (const [owner, values] of owners) {
    const to = renamed(owner, scopeOwner(alias), scopeOwner(key));
    const place = { scope, fqn: ref.fqn, slot: "data" } as const;
    for (const [name, value] of values) {
      // What a plugin has bound to the old name is bound to the new one.
      const at = { ...place, key: name };
      const moved = hasForeign(value) ? await rebound(app, value, { ...at, owner }, { ...at, owner: to }) : value;
      changes.push({ op: "data", owner: to, key: name, value: moved });
    }
    changes.push({ op: "forget", owner });
  }
  return changes;
}

async function rebound(app: App, value: Encoded, from: ValuePlace, to: ValuePlace): Promise<Encoded> {
  return app.codec.encode(await app.codec.decode(value, from), to);
}

function renamed(name: string, from: string, to: string): string {
  return name === from || name.startsWith(`${from}/`) ? `${to}${name.slice(from.length)}` : name;
}

function keysOf(scope: Scope, aliases: readonly string[]): readonly string[] {
  return aliases.map((alias) => keyOf(scope, alias));
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
