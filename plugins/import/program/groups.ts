/** The configuration behind the instances: scopes and groups of resources without keys, and their order. */
import type { InstanceKey, ScopePath } from "../contract.js";
import { withoutKeys } from "../without-keys.js";
import type { SettledProject, SettledResource } from "./settled.js";

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
  /** True if the source records no dependencies of it, so that they are guessed from equal values. */
  readonly isGuessed: boolean;
  readonly at: number;
}

export function isData({ first }: Group): boolean {
  return isDataSource(first);
}

function isDataSource({ call }: SettledResource): boolean {
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

export function configurationOf({ resources, dependencies }: SettledProject): Configuration {
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
      isGuessed: dependencies !== undefined || (isDataSource(resource) && resource.dependencies.length === 0),
      at: groups.size,
    };
    if (!groups.has(address)) home.groups.push(group);
    groups.set(address, group);
    const scope = instanceOf(resource.scope);
    const there = group.instances.get(scope);
    if (there) there.push(resource);
    else group.instances.set(scope, [resource]);
  }
  // A state lists all resources that one needs, also those that others need for it.
  const found = new Map<string, Group | undefined>();
  for (const resource of resources) {
    const group = groups.get(withoutKeys(resource.address));
    for (const one of resource.dependencies) {
      if (!found.has(one)) found.set(one, groups.get(withoutKeys(one)));
      const needed = found.get(one);
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
  const places = new Map(rest.map((group, at) => [group, at]));
  const users: number[][] = rest.map(() => []);
  const left = rest.map(({ needs }, at) => {
    const needed = [...needs].flatMap((one) => places.get(one) ?? []);
    for (const one of needed) users[one]?.push(at);
    return needed.length;
  });
  const units = rest.map(unitOf);
  const open = new Set(places.values());
  const ready = new ReadyPlaces(units);
  for (const at of open) if (left[at] === 0) ready.add(at);
  const parts: [U, Group[]][] = [];
  for (;;) {
    const last = parts.at(-1);
    // Groups that need each other are declared in their order.
    const at = ready.take(last?.[0]) ?? open.values().next().value;
    const [group, unit] = at === undefined ? [] : [rest[at], units[at]];
    if (at === undefined || !group || unit === undefined) return parts;
    open.delete(at);
    for (const user of users[at] ?? []) {
      const count = (left[user] ?? 0) - 1;
      left[user] = count;
      if (count === 0 && open.has(user)) ready.add(user);
    }
    if (last && last[0] === unit) last[1].push(group);
    else parts.push([unit, [group]]);
  }
}

/** The places of groups whose needs are declared, each list in ascending order. */
class ReadyPlaces<U> {
  readonly #units: readonly U[];
  readonly #all: number[] = [];
  readonly #byUnit = new Map<U | undefined, number[]>();

  constructor(units: readonly U[]) {
    this.#units = units;
  }

  add(at: number): void {
    for (const list of [this.#all, this.#of(at)]) list.splice(placeIn(list, at), 0, at);
  }

  /** Removes and returns the first place of a unit, or of any other. */
  take(unit: U | undefined): number | undefined {
    const at = this.#byUnit.get(unit)?.[0] ?? this.#all[0];
    if (at === undefined) return undefined;
    for (const list of [this.#all, this.#of(at)]) list.splice(placeIn(list, at), 1);
    return at;
  }

  #of(at: number): number[] {
    const unit = this.#units[at];
    const known = this.#byUnit.get(unit);
    if (known) return known;
    const made: number[] = [];
    this.#byUnit.set(unit, made);
    return made;
  }
}

/** Returns the place of a number in an ascending list, or the one where it belongs. */
function placeIn(list: readonly number[], wanted: number): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((list[middle] ?? wanted) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
