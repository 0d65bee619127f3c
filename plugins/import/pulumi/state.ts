/** Reads checkpoints and exports of Pulumi, version 3 (`pulumi stack export`), and those of `sst state export`. */
import type {
  Imported,
  ImportedOutput,
  ImportedResource,
  ImportedScope,
  Reader,
  ReadSettings,
  Refusal,
  ScopePath,
} from "../contract.js";
import { Sensitive } from "../contract.js";
import { exactJson, exactText, unmarked } from "../exact-json.js";
import { refused } from "../failure.js";
import { isMembers, type Members } from "../members.js";
import { bridgedType } from "./packages.js";
import { type Urn, urnIn } from "./urn.js";
import { Values } from "./values.js";

const VERSION = 3;
const STACK = "pulumi:pulumi:Stack";
const PROVIDER = "pulumi:providers:";

export const pulumiState: Reader = {
  format: "a checkpoint or an export of Pulumi or SST (pulumi stack export, sst state export)",
  recognises(text) {
    const begin = text.slice(0, 4_000);
    return /^\s*\{/.test(begin) && /"(?:deployment|checkpoint|latest)"\s*:/.test(begin);
  },
  async read(text, settings) {
    const { place, passphrase } = settings;
    const outer = exactJson(text, place);
    if (!isMembers(outer)) throw refused(place, "is not an export of Pulumi: it is not a JSON object.");
    // SST prints the checkpoint alone, which has no version.
    const isBare = isMembers(outer.latest);
    const latest = isMembers(outer.checkpoint) ? outer.checkpoint.latest : (outer.deployment ?? outer.latest);
    if (outer.version !== VERSION && !isBare)
      throw refused(
        place,
        `has the format version ${exactText(outer.version)}, but the engine reads version ${VERSION}.`,
      );
    if (!isMembers(latest)) throw refused(place, "holds no deployment. Run pulumi up once.");
    const values = await Values.of(latest.secrets_providers, place, passphrase);
    return new Reading(settings, values, latest).imported();
  },
};

/** One element of `resources`. */
interface Entry {
  readonly urn: Urn;
  readonly key: string;
  readonly members: Members;
}

class Reading {
  readonly #settings: ReadSettings;
  readonly #values: Values;
  readonly #entries: readonly Entry[];
  readonly #refusals: Refusal[] = [];
  readonly #notes = new Set<string>();
  readonly #scopes: ImportedScope[] = [];
  readonly #taken = new Set<string>();
  readonly #paths = new Map<string, ScopePath>();
  /** Addresses of custom resources, and of those in each component, by URN. */
  readonly #addresses = new Map<string, string[]>();
  #outputs: readonly ImportedOutput[] = [];
  #stack: Urn | undefined;

  constructor(settings: ReadSettings, values: Values, { resources = [], pending_operations: pending = [] }: Members) {
    this.#settings = settings;
    this.#values = values;
    if (resources !== null && !Array.isArray(resources)) throw this.#damaged('"resources" is not a list');
    this.#entries = (resources ?? []).map((one: unknown) => this.#entry(one));
    for (const operation of Array.isArray(pending) ? pending : []) {
      const { resource, type } = isMembers(operation) ? operation : {};
      const urn = urnIn(isMembers(resource) ? resource.urn : undefined);
      this.#refuse(urn?.short ?? "an operation", `an operation on it was interrupted (${String(type)})`, REFRESH);
    }
  }

  imported(): Imported {
    for (const one of this.#entries) this.#place(one);
    const resources = this.#entries.flatMap((one) => this.#resource(one) ?? []);
    const { place } = this.#settings;
    return {
      source: {
        tool: "Pulumi",
        place,
        ...(this.#stack ? { app: this.#stack.project, stage: this.#stack.stack } : {}),
      },
      scopes: this.#scopes,
      resources,
      dataSources: [],
      outputs: this.#outputs,
      refusals: this.#refusals,
      notes: [...this.#notes],
    };
  }

  #entry(json: unknown): Entry {
    if (!isMembers(json)) throw this.#damaged("a resource is not an object");
    const urn = urnIn(json.urn);
    if (!urn) throw this.#damaged(`${JSON.stringify(json.urn)?.slice(0, 200)} is not the name of a resource`);
    this.#stack ??= urn;
    return { urn, key: String(json.urn), members: json };
  }

  /** Gives components their scopes, and collects the addresses that a dependency on a component means. */
  #place({ urn, key, members }: Entry): void {
    if (urn.type.startsWith(PROVIDER)) {
      this.#paths.set(key, []);
      return;
    }
    if (urn.type === STACK) {
      this.#outputs = this.#outputsIn(members.outputs);
      this.#paths.set(key, []);
      return;
    }
    const parent = typeof members.parent === "string" ? members.parent : undefined;
    const around = this.#pathOf(parent);
    if (members.custom === true) {
      this.#paths.set(key, around);
      this.#addTo(key, urn.short);
    } else {
      const path = [...around, { name: this.#freeName(around, urn) }];
      this.#paths.set(key, path);
      this.#scopes.push({ path, type: urn.type });
    }
    if (members.custom === true) this.#addToParents(parent, urn.short);
  }

  #addToParents(parent: string | undefined, address: string): void {
    const seen = new Set<string>();
    let at = parent;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      const found = this.#byKey.get(at);
      if (!found || found.urn.type === STACK) return;
      if (found.members.custom !== true) this.#addTo(at, address);
      at = typeof found.members.parent === "string" ? found.members.parent : undefined;
    }
    if (at !== undefined) throw this.#damaged("parents of a resource form a cycle");
  }

  get #byKey(): ReadonlyMap<string, Entry> {
    this.#index ??= new Map(this.#entries.map((one) => [one.key, one]));
    return this.#index;
  }

  #index: ReadonlyMap<string, Entry> | undefined;

  #addTo(key: string, address: string): void {
    const known = this.#addresses.get(key);
    if (known) known.push(address);
    else this.#addresses.set(key, [address]);
  }

  #pathOf(parent: string | undefined): ScopePath {
    if (parent === undefined) return [];
    const path = this.#paths.get(parent);
    if (!path) throw this.#damaged(`the parent ${JSON.stringify(parent).slice(0, 200)} does not come before its child`);
    return path;
  }

  #freeName(around: ScopePath, { name, type }: Urn): string {
    const keyOf = (wanted: string): string => JSON.stringify([...around, { name: wanted }]);
    const free = this.#taken.has(keyOf(name)) ? `${name}-${type.split(":").at(-1)}` : name;
    this.#taken.add(keyOf(free));
    return free;
  }

  #resource({ urn, key, members }: Entry): ImportedResource | undefined {
    const { custom, external, id } = members;
    if (custom !== true || urn.type.startsWith(PROVIDER)) return undefined;
    if (external === true) {
      this.#notes.add(`"${urn.short}" was only read. Read it in the program where you need it.`);
      return undefined;
    }
    if (members.pendingReplacement === true)
      this.#refuse(urn.short, "it was deleted for a replacement that was not made", "Run pulumi up once.");
    if (Array.isArray(members.initErrors) && members.initErrors.length > 0)
      this.#refuse(urn.short, "its last create or update failed half-way", "Run pulumi up once.");
    const isOld = members.delete === true;
    const common: Omit<ImportedResource, "value"> = {
      address: isOld ? `${urn.short} (to be deleted)` : urn.short,
      scope: this.#paths.get(key) ?? [],
      name: urn.name,
      type: urn.type,
      dependencies: this.#dependencies(members, urn.short),
      status: isOld ? "deposed" : members.taint === true ? "tainted" : "ready",
      ...(members.protect === true ? { protect: true } : {}),
      ...(members.retainOnDelete === true ? { retain: true } : {}),
    };
    const inputs = this.#values.ownMembers(members.inputs);
    const outputs = this.#values.ownMembers(members.outputs);
    const output = typeof id === "string" ? { id, ...this.#secretOutputs(outputs, members) } : outputs;
    const bridged = bridgedType(urn.type, this.#aliasOf(members.provider), this.#settings.types?.get(urn.type));
    if (!bridged) return { ...common, value: { by: "value", props: inputs, output } };
    const meta = isMembers(members.outputs) ? members.outputs.__meta : undefined;
    return {
      ...common,
      provider: bridged.provider,
      value: { by: "bridge", types: bridged.types, output, inputs: inputsOf(members.inputs), ...metaIn(meta) },
    };
  }

  #secretOutputs(outputs: Members, { additionalSecretOutputs: names }: Members): Members {
    if (!Array.isArray(names) || names.length === 0) return outputs;
    return Object.fromEntries(
      Object.entries(outputs).map(([name, value]) => [
        name,
        names.includes(name) && !(value instanceof Sensitive) ? new Sensitive(value) : value,
      ]),
    );
  }

  #dependencies({ dependencies = [], propertyDependencies = {}, parent }: Members, own: string): readonly string[] {
    const urns = [dependencies, ...(isMembers(propertyDependencies) ? Object.values(propertyDependencies) : [])].flat();
    const isChild = typeof parent === "string" && this.#byKey.get(parent)?.members.custom === true;
    const found = (isChild ? [...urns, parent] : urns).flatMap((urn) => this.#addresses.get(String(urn)) ?? []);
    return [...new Set(found)].filter((address) => address !== own);
  }

  /** @returns undefined for the default provider */
  #aliasOf(reference: unknown): string | undefined {
    const urn = typeof reference === "string" ? urnIn(reference.slice(0, reference.lastIndexOf("::"))) : undefined;
    return urn && !/^default(?:_|$)/.test(urn.name) ? urn.name : undefined;
  }

  #outputsIn(outputs: unknown): readonly ImportedOutput[] {
    return Object.entries(isMembers(outputs) ? outputs : {}).map(([name, json]) => {
      const value = this.#values.decoded(json);
      const isSensitive = value instanceof Sensitive;
      return { name, value: isSensitive ? value.value : value, isSensitive };
    });
  }

  #refuse(address: string, reason: string, advice: string): void {
    this.#refusals.push({ address, reason, advice });
  }

  #damaged(what: string): Error {
    return refused(this.#settings.place, `is damaged: ${what}. Export the stack again.`);
  }
}

/** Returns the names of inputs, without those that Pulumi chose itself. */
function inputsOf(inputs: unknown): readonly string[] {
  const { __defaults: defaults, ...own } = isMembers(inputs) ? inputs : {};
  return Object.keys(own).filter((name) => !(Array.isArray(defaults) && defaults.includes(name)));
}

const REFRESH = "Run pulumi refresh, which clears it.";

/** @param meta JSON that a provider keeps beside the value: the version of its schema, and time limits */
function metaIn(meta: unknown): { readonly schemaVersion: number; readonly private?: Uint8Array } {
  const text = unmarked(meta);
  if (typeof text !== "string") return { schemaVersion: 0 };
  try {
    const { schema_version: version } = JSON.parse(text);
    return { schemaVersion: Number.isInteger(Number(version)) ? Number(version ?? 0) : 0, private: Buffer.from(text) };
  } catch {
    return { schemaVersion: 0 };
  }
}
