/** The configuration behind the instances: scopes and groups of resources without keys, and their order. */
import type { InstanceKey, ScopePath } from "../contract.js";
import { withoutKeys } from "../without-keys.js";
import type { SettledResource } from "./settled.js";

/** All instances of one resource of the configuration. */
export interface Group {
  /** Address without keys. */
  readonly address: string;
  readonly home: ConfigScope;
  readonly first: SettledResource;
  /** By scope instance. */
  readonly instances: Map<string, SettledResource[]>;
  /** Groups that it depends on. */
  readonly needs: Set<Group>;
  readonly at: number;
}

export function isData({ first: { call } }: Group): boolean {
  return call.by === "provider" && call.isData;
}

/** A module call or a component, without keys. */
export interface ConfigScope {
  readonly name: string;
  readonly parent: ConfigScope | undefined;
  readonly depth: number;
  readonly children: Map<string, ConfigScope>;
  readonly groups: Group[];
  /** Keys of its instances, by instance of the parent. */
  readonly keys: Map<string, Set<InstanceKey | undefined>>;
}

export interface Configuration {
  readonly root: ConfigScope;
  readonly groups: ReadonlyMap<string, Group>;
}

/** Returns a name for one instance of a scope. */
export function instanceOf(path: ScopePath): string {
  return JSON.stringify(path.map(({ name, key }) => (key === undefined ? [name] : [name, key])));
}

function scopeIn(parent: ConfigScope | undefined, name: string): ConfigScope {
  return {
    name,
    parent,
    depth: parent ? parent.depth + 1 : 0,
    children: new Map(),
    groups: [],
    keys: new Map(),
  };
}

export function configurationOf(resources: readonly SettledResource[]): Configuration {
  const root = scopeIn(undefined, "");
  const groups = new Map<string, Group>();
  for (const resource of resources) {
    const address = withoutKeys(resource.address);
    const home = homeOf(root, resource.scope);
    const group: Group = groups.get(address) ?? {
      address,
      home,
      first: resource,
      instances: new Map(),
      needs: new Set(),
      at: groups.size,
    };
    if (!groups.has(address)) home.groups.push(group);
    groups.set(address, group);
    const scope = instanceOf(resource.scope);
    const there = group.instances.get(scope);
    if (there) there.push(resource);
    else group.instances.set(scope, [resource]);
  }
  for (const resource of resources) {
    const group = groups.get(withoutKeys(resource.address));
    for (const one of resource.dependencies) {
      const needed = groups.get(withoutKeys(one));
      if (group && needed && needed !== group) group.needs.add(needed);
    }
  }
  return { root, groups };
}

function homeOf(root: ConfigScope, path: ScopePath): ConfigScope {
  let scope = root;
  for (const [at, { name, key }] of path.entries()) {
    const child = scope.children.get(name) ?? scopeIn(scope, name);
    scope.children.set(name, child);
    const parent = instanceOf(path.slice(0, at));
    const keys = child.keys.get(parent) ?? new Set<InstanceKey | undefined>();
    child.keys.set(parent, keys.add(key));
    scope = child;
  }
  return scope;
}

/** A part of a scope that is declared together: a group, or a visit of a child with some of its groups. */
export type Unit =
  | { readonly group: Group }
  | { readonly child: ConfigScope; readonly part: readonly Group[]; readonly visit: number };

/** Returns the parts of a scope in an order in which each comes after those that it needs. */
export function unitsOf(scope: ConfigScope, part: readonly Group[], visits: Map<ConfigScope, number>): readonly Unit[] {
  const ofGroup = (group: Group): Group | ConfigScope => {
    let home = group.home;
    if (home === scope) return group;
    while (home.parent && home.parent !== scope) home = home.parent;
    return home;
  };
  const members = new Map<Group | ConfigScope, Group[]>();
  for (const group of part) {
    const unit = ofGroup(group);
    const there = members.get(unit);
    if (there) there.push(group);
    else members.set(unit, [group]);
  }
  const inPart = new Set(part);
  const needs = new Map<Group | ConfigScope, Set<Group | ConfigScope>>();
  for (const [unit, groups] of members) {
    const all = groups.flatMap((group) => [...group.needs]).filter((one) => inPart.has(one));
    needs.set(unit, new Set(all.map(ofGroup).filter((one) => one !== unit)));
  }
  const done = new Set<Group | ConfigScope>();
  const units: Unit[] = [];
  const add = (unit: Group | ConfigScope, groups: readonly Group[]): void => {
    if ("needs" in unit) return void units.push({ group: unit });
    const visit = visits.get(unit) ?? 0;
    visits.set(unit, visit + 1);
    units.push({ child: unit, part: groups, visit });
  };
  const ready = inOrder([...members.keys()], needs);
  for (const unit of ready) {
    done.add(unit);
    add(unit, members.get(unit) ?? []);
  }
  // The rest needs each other: it is visited in parts.
  const rest = [...members].filter(([unit]) => !done.has(unit)).flatMap(([, groups]) => groups);
  for (const [unit, groups] of partsOf(rest, ofGroup)) add(unit, groups);
  return units;
}

/** Returns the nodes that can be ordered; nodes of a cycle, and those that need them, are left out. */
function inOrder<T>(nodes: readonly T[], needs: ReadonlyMap<T, ReadonlySet<T>>): readonly T[] {
  const left = new Map(nodes.map((node) => [node, needs.get(node)?.size ?? 0]));
  const users = new Map<T, T[]>();
  for (const node of nodes) {
    for (const one of needs.get(node) ?? []) {
      const known = users.get(one);
      if (known) known.push(node);
      else users.set(one, [node]);
    }
  }
  const order: T[] = [];
  const ready = nodes.filter((node) => left.get(node) === 0);
  for (const node of ready) {
    order.push(node);
    for (const user of users.get(node) ?? []) {
      const count = (left.get(user) ?? 0) - 1;
      left.set(user, count);
      if (count === 0) ready.push(user);
    }
  }
  return order;
}

/** Orders groups one by one, and joins neighbours of one unit. */
function partsOf<U>(rest: readonly Group[], unitOf: (group: Group) => U): readonly (readonly [U, readonly Group[]])[] {
  const within = new Set(rest);
  const open = new Set(rest);
  const parts: [U, Group[]][] = [];
  const isReady = (group: Group): boolean => ![...group.needs].some((one) => within.has(one) && open.has(one));
  while (open.size > 0) {
    const last = parts.at(-1);
    const ready = [...open].filter(isReady);
    const next = ready.find((group) => last && unitOf(group) === last[0]) ?? ready[0] ?? [...open][0];
    if (!next) break;
    open.delete(next);
    if (last && unitOf(next) === last[0]) last[1].push(next);
    else parts.push([unitOf(next), [next]]);
  }
  return parts;
}
