/** Builds the program of a settled project: names, order, references, and variables for secrets. */
import { type ImportedOutput, type ScopePath, Sensitive } from "../contract.js";
import {
  type ConfigScope,
  type Configuration,
  configurationOf,
  type Group,
  instanceOf,
  isData,
  unitsOf,
} from "./groups.js";
import { candidatesOf, guessNeeds } from "./guess-needs.js";
import { distinctKeys, environmentName, nameWith, UniqueNames } from "./names.js";
import { type Candidates, LONG_TEXT, Offers } from "./offers.js";
import {
  type Block,
  Built,
  Document,
  type Expression,
  type Item,
  Literal,
  type Program,
  type ProgramOutput,
  SecretFrom,
} from "./program.js";
import { Digits, Fixed, type SettledProject, type SettledResource } from "./settled.js";

export function programOf(project: SettledProject): Program {
  const configuration = configurationOf(project);
  const building = new Building(project, configuration);
  for (const output of project.outputs) building.nameSecret(output);
  const root = building.block(configuration.root, [...configuration.groups.values()], [], "");
  const outputs = project.outputs.map((output) => building.output(output));
  return { project, root, outputs, variables: building.variables };
}

/** Names that say nothing about a resource. */
const EMPTY_NAMES = new Set(["this", "main", "default", "self"]);

class Building {
  readonly variables = new Map<string, { readonly value: unknown; readonly usedBy: string[] }>();
  readonly #groups: readonly Group[];
  readonly #offers: Offers;
  readonly #candidates = new Map<Group, Candidates>();
  readonly #variableOf = new Map<string, string>();
  /** Names of outputs, by the texts of their secrets. */
  readonly #outputOf = new Map<string, string>();
  readonly #variableNames = new UniqueNames();
  readonly #ids = new Map<Group, Map<string, string>>();
  readonly #scopeNames = new Map<ConfigScope, Map<string, string>>();
  readonly #visits = new Map<ConfigScope, number>();

  constructor(project: SettledProject, { root, groups }: Configuration) {
    this.#groups = [...groups.values()];
    this.#offers = new Offers(this.#groups);
    guessNeeds({ groups, offers: this.#offers, ...project });
    for (const group of this.#groups) {
      this.#candidates.set(group, candidatesOf(group, project));
      const secrets = secretTextsIn([...group.instances.values()].flat().map(({ props }) => props));
      if (secrets.length > 0) this.#secretsByGroup.set(group, secrets);
    }
    this.#nameIn(
      root,
      project.providers.map(({ id }) => id),
    );
  }

  /** Chooses ids and names of scopes per configuration, so that all instances of a module have the same. */
  #nameIn(scope: ConfigScope, used: readonly string[]): void {
    const names = new UniqueNames(used);
    const counts = new Map<string, number>();
    for (const { first } of scope.groups) counts.set(first.name, (counts.get(first.name) ?? 0) + 1);
    for (const child of scope.children.values()) {
      const keys = new Set([...child.keys.values()].flatMap((all) => [...all]));
      const named = [...distinctKeys(keys)].map(
        ([key, own]) => [String(JSON.stringify(key)), names.unique(nameWith(child.name, own))] as const,
      );
      this.#scopeNames.set(child, new Map(named));
    }
    // A data source gives way to a resource.
    for (const group of [...scope.groups].sort((one, other) => Number(isData(one)) - Number(isData(other)))) {
      const { name, kindName } = group.first;
      const isShared = (counts.get(name) ?? 0) > 1;
      const base = isShared || name === "this" ? (EMPTY_NAMES.has(name) ? kindName : `${kindName}-${name}`) : name;
      const all = [base, ...(base === name ? [`${base}-${kindName}`] : []), `${base}-${sourceOf(group)}`];
      const keys = new Set([...group.instances.values()].flat().map(({ key }) => key));
      const named = [...distinctKeys(keys)].map(([key, own]) => {
        const [first = base, ...others] = all.map((one) => nameWith(one, own));
        return [String(JSON.stringify(key)), names.unique(first, ...others)] as const;
      });
      this.#ids.set(group, new Map(named));
    }
    for (const child of scope.children.values()) this.#nameIn(child, []);
  }

  block(scope: ConfigScope, part: readonly Group[], path: ScopePath, group: string): Block {
    const { name = "", key } = path.at(-1) ?? {};
    const items = this.#units(scope, part, group).flatMap((unit): readonly Item[] => {
      if ("group" in unit) return this.#declarations(unit.group, path);
      const { child, part: groups, visit: count } = unit;
      const keys = [...(child.keys.get(instanceOf(path)) ?? [])];
      return keys.map((own): Item => {
        const inner = [...path, { name: child.name, ...(own === undefined ? {} : { key: own }) }];
        const called = `${group}/${child.name}${count === 0 ? "" : `#${count}`}`;
        return { type: "block", block: this.block(child, groups, inner, called) };
      });
    });
    const scopeName = this.#scopeNames.get(scope)?.get(String(JSON.stringify(key))) ?? "";
    return { scopeName, name, ...(key === undefined ? {} : { key }), group, items };
  }

  readonly #cached = new Map<string, ReturnType<typeof unitsOf>>();

  /** All instances of a scope have the same order. */
  #units(scope: ConfigScope, part: readonly Group[], group: string): ReturnType<typeof unitsOf> {
    const known = this.#cached.get(group);
    if (known) return known;
    const made = unitsOf(scope, part, this.#visits);
    this.#cached.set(group, made);
    return made;
  }

  #declarations(group: Group, path: ScopePath): readonly Item[] {
    const ids = this.#ids.get(group);
    const candidates = this.#candidates.get(group) ?? NONE;
    return (group.instances.get(instanceOf(path)) ?? []).map((resource): Item => {
      const id = ids?.get(String(JSON.stringify(resource.key))) ?? resource.name;
      const props = Object.fromEntries(
        Object.entries(resource.props).map(([name, value]) => [
          name,
          this.#expression(value, { resource, candidates, path: [id, name] }),
        ]),
      );
      return { type: "declaration", declaration: { resource, id, props } };
    });
  }

  /** The user chose the name of an output, so the variable of its secret has this name, whatever else uses it. */
  nameSecret({ name, value, isSensitive }: ImportedOutput): void {
    const text = textOf(withDigits(value));
    if (isSensitive && !this.#offers.find(value, {}, { scope: [] }) && !this.#outputOf.has(text))
      this.#outputOf.set(text, name);
  }

  output({ value, ...output }: ImportedOutput): ProgramOutput {
    const at: At = {
      resource: { address: `output.${output.name}`, scope: [] },
      candidates: undefined,
      path: [output.name],
    };
    const whole = output.isSensitive ? new Sensitive(value) : value;
    return { ...output, value: this.#expression(whole, at) };
  }

  #expression(value: unknown, at: At): Expression {
    const candidates = at.candidates ?? {};
    const { scope, key } = at.resource;
    const place = { scope, ...(key === undefined ? {} : { key }), path: at.path.slice(1) };
    const found = this.#offers.find(value, candidates, place);
    if (found && (at.within !== "document" || isText(found.value))) return found;
    if (value instanceof Fixed)
      return new Literal(this.#expression(value.value, { ...at, candidates: NONE, within: "constant" }));
    if (value instanceof Sensitive) return this.#secret(value.value, at);
    if (value instanceof Digits) return value;
    if (value instanceof Date || value instanceof Uint8Array) return new Built(value);
    if (Array.isArray(value)) return value.map((one, index) => this.#expression(one, inside(at, String(index))));
    if (typeof value === "object" && value !== null) {
      const members = Object.entries(value).filter(([, one]) => one !== undefined);
      return Object.fromEntries(members.map(([name, one]) => [name, this.#expression(one, inside(at, name))]));
    }
    if (typeof value === "string") return this.#text(value, at, place);
    return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" ? value : null;
  }

  #text(text: string, at: At, place: Parameters<Offers["findIn"]>[2]): Expression {
    if (text.length >= LONG_TEXT) return text;
    if (this.#isCopy(text, at)) return this.#secret(text, at);
    const written = at.within === "constant" ? undefined : writtenAs(text);
    if (written) return new Document(this.#expression(written, { ...at, within: "document" }));
    return this.#offers.findIn(text, at.candidates ?? {}, place) ?? text;
  }

  readonly #secretsByGroup = new Map<Group, readonly string[]>();
  readonly #secretsFor = new WeakMap<Candidates, ReadonlySet<string>>();

  /** True for a secret of a dependency whose copy the source does not mark, such as a member of an output. */
  #isCopy(text: string, { candidates, within }: At): boolean {
    // A document of a secret would be a secret itself.
    if (candidates?.needed === undefined || within !== undefined) return false;
    const { needed } = candidates;
    const known = this.#secretsFor.get(candidates);
    if (known) return known.has(text);
    const made = new Set([...this.#secretsByGroup].flatMap(([group, texts]) => (needed.has(group) ? texts : [])));
    this.#secretsFor.set(candidates, made);
    return made.has(text);
  }

  /** Equal secrets share a variable. */
  #secret(given: unknown, { resource, candidates, path }: At): SecretFrom {
    const value = withDigits(given);
    const text = textOf(value);
    const known = this.#variableOf.get(text);
    if (known !== undefined) {
      const usedBy = this.variables.get(known)?.usedBy;
      // An output is the reason of its name.
      if (candidates === undefined) usedBy?.unshift(resource.address);
      else usedBy?.push(resource.address);
      return new SecretFrom(known, value);
    }
    const output = this.#outputOf.get(text);
    const scopes = resource.scope.map(({ name, key }) => nameWith(name, key));
    const variable = this.#variableNames.unique(
      environmentName(output === undefined ? [...scopes, ...path] : [output]),
    );
    this.#variableOf.set(text, variable);
    this.variables.set(variable, { value, usedBy: [resource.address] });
    return new SecretFrom(variable, value);
  }
}

/** JSON would round an integer of any size. */
function withDigits(value: unknown): unknown {
  return typeof value === "bigint" ? new Digits(String(value)) : value;
}

/** Returns a text that only equal secrets have. */
function textOf(value: unknown): string {
  return String(JSON.stringify(value, (_name, one) => (typeof one === "bigint" ? `${one}n` : one)));
}

/** Returns a word that tells resources of one kind and name apart. */
function sourceOf(group: Group): string {
  const { call } = group.first;
  return isData(group) ? "data" : call.by === "provider" ? call.provider : call.functionName;
}

/** Shortest secret text that no other value equals by chance. */
const SHORTEST_SECRET = 8;

function secretTextsIn(value: unknown, isSecret = false): readonly string[] {
  if (value instanceof Sensitive) return secretTextsIn(value.value, true);
  if (typeof value === "string") return isSecret && value.length >= SHORTEST_SECRET ? [value] : [];
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return [];
  return Object.values(value).flatMap((one) => secretTextsIn(one, isSecret));
}

interface At {
  readonly resource: Pick<SettledResource, "address" | "scope" | "key">;
  /** Undefined for an output, which may refer to everything. */
  readonly candidates: Candidates | undefined;
  readonly path: readonly string[];
  readonly within?: "document" | "constant";
}

/** Returns the object or list that `JSON.stringify` writes as a text; undefined for other texts. */
function writtenAs(value: string): object | undefined {
  if (!/^[[{].{2}/s.test(value)) return undefined;
  try {
    const written: unknown = JSON.parse(value);
    return typeof written === "object" && written !== null && JSON.stringify(written) === value ? written : undefined;
  } catch {
    return undefined;
  }
}

/** True for a value that is in a document as it is, which a secret is not. */
function isText(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

const NONE: Candidates = { needed: new Set() };

function inside(at: At, name: string): At {
  return { ...at, path: [...at.path, name] };
}
