/** Reads states of Terraform and OpenTofu, version 4 (`terraform.tfstate`, `tofu state pull`). */
import type {
  Imported,
  ImportedOutput,
  ImportedProvider,
  ImportedResource,
  ImportedScope,
  InstanceKey,
  Reader,
  ReadSettings,
  RecordedValue,
  Refusal,
  ScopePath,
  SensitivePath,
} from "../contract.js";
import { exactJson, exactText, exactValue } from "../exact-json.js";
import { clipped, refused } from "../failure.js";
import { isMembers, type Members } from "../members.js";
import { isConfigurationName, keyText, modulePath, providerIn } from "./address.js";
import { decrypted, isEncrypted } from "./decrypt.js";

const VERSION = 4;

export const terraformState: Reader = {
  format: "a state of Terraform or OpenTofu (terraform.tfstate, version 4)",
  recognises(text) {
    const begin = text.slice(0, 4_000);
    return /^\s*\{/.test(begin) && /"(?:terraform_version|encryption_version|encrypted_data)"\s*:/.test(begin);
  },
  async read(text, settings) {
    const { place } = settings;
    const outer = stateIn(exactJson(text, place), place);
    if (!isEncrypted(outer)) return importedFrom(outer, settings);
    return importedFrom(stateIn(exactJson(await decrypted(outer, settings), place), place), settings);
  },
};

function stateIn(value: unknown, place: string): Members {
  if (isMembers(value)) return value;
  throw refused(place, "is not a state: it is not a JSON object.");
}

function importedFrom(state: Members, { place }: ReadSettings): Imported {
  const { version, terraform_version: toolVersion, lineage, serial, resources = [], outputs = {} } = state;
  if (version !== VERSION) {
    const advice = "Run a present version of the tool once (tofu apply -refresh-only), which rewrites the state.";
    throw refused(
      place,
      `has the format version ${exactText(version)}, but the engine reads version ${VERSION}. ${advice}`,
    );
  }
  if (!Array.isArray(resources)) throw refused(place, 'is damaged: "resources" is not a list.');
  const reading = new Reading(place);
  for (const one of resources) reading.addResource(one);
  if (state.check_results) {
    // Checks have no value; the program can have its own.
    reading.notes.push("Checks and preconditions are not in the program. Write the ones that you need as code.");
  }
  const managed = reading.all.filter(({ mode }) => mode === "managed").map(({ resource }) => resource);
  return {
    source: {
      tool: reading.usesOpenTofu ? "OpenTofu" : "Terraform or OpenTofu",
      place,
      ...(typeof toolVersion === "string" ? { toolVersion } : {}),
      ...(typeof lineage === "string" ? { lineage } : {}),
      ...(typeof serial === "number" ? { serial } : {}),
    },
    scopes: [...reading.scopes.values()],
    resources: managed,
    dataSources: reading.all.filter(({ mode }) => mode === "data").map(({ resource }) => resource),
    outputs: outputsIn(outputs, place),
    refusals: reading.refusals,
    notes: [...reading.notes, ...(managed.length > 0 ? [NO_SETTINGS] : [])],
  };
}

const NO_SETTINGS =
  "A state does not hold prevent_destroy, ignore_changes, create_before_destroy and provisioners. Add protect, ignoreChanges and createBeforeDestroy to the resources that had them.";

function outputsIn(outputs: unknown, place: string): readonly ImportedOutput[] {
  if (!isMembers(outputs)) throw refused(place, 'is damaged: "outputs" is not an object.');
  return Object.entries(outputs).map(([name, output]) => {
    if (!isConfigurationName(name) || !isMembers(output) || !Object.hasOwn(output, "value"))
      throw refused(place, `is damaged: the output ${JSON.stringify(name)} is malformed.`);
    return { name, value: exactValue(output.value), isSensitive: output.sensitive === true };
  });
}

interface Read {
  readonly mode: "managed" | "data";
  readonly resource: ImportedResource;
}

/** A state that is being read. */
class Reading {
  readonly all: Read[] = [];
  readonly scopes = new Map<string, ImportedScope>();
  readonly refusals: Refusal[] = [];
  readonly notes: string[] = [];
  usesOpenTofu = false;
  readonly #place: string;

  constructor(place: string) {
    this.#place = place;
  }

  addResource(json: unknown): void {
    if (!isMembers(json)) throw this.#damaged("a resource is not an object");
    const { mode, type, name, module: address = "", provider, instances = [] } = json;
    if (!isConfigurationName(type) || !isConfigurationName(name))
      throw this.#damaged(
        `${JSON.stringify(`${String(type)}.${String(name)}`).slice(0, 200)} is not the name of a resource`,
      );
    const path = typeof address === "string" ? modulePath(address) : undefined;
    if (!path) throw this.#damaged(`${JSON.stringify(address).slice(0, 200)} is not the address of a module`);
    const own = `${mode === "data" ? "data." : ""}${type}.${name}`;
    const whole = address === "" ? own : `${String(address)}.${own}`;
    if (mode !== "managed" && mode !== "data") throw this.#damaged(`"${whole}" has no valid mode`);
    if (!Array.isArray(instances)) throw this.#damaged(`"${whole}" has no list of instances`);
    this.#addScopes(path);
    for (const one of instances) {
      const by = isMembers(one) && one.provider !== undefined ? one.provider : provider;
      const of = providerIn(by);
      if (of) this.#addInstance(one, { mode, type, name, path, address: whole, provider: this.#present(of) });
      else
        this.refusals.push({
          address: whole,
          reason: `the state names its provider in an old or unknown form (${clipped(JSON.stringify(by) ?? "nothing")})`,
          advice: "Run tofu init and tofu apply -refresh-only with a present version of the tool first.",
        });
    }
  }

  /** Terraform's own registry may be used by Terraform only. OpenTofu's has the same providers under the same names. */
  #present({ source, ...rest }: ImportedProvider): ImportedProvider {
    this.usesOpenTofu ||= source.startsWith("registry.opentofu.org/");
    return { ...rest, source: source.replace(/^registry\.terraform\.io\//, "registry.opentofu.org/") };
  }

  #addScopes(path: ScopePath): void {
    for (let length = 1; length <= path.length; length++) {
      const part = path.slice(0, length);
      const key = JSON.stringify(part);
      if (!this.scopes.has(key)) this.scopes.set(key, { path: part });
    }
  }

  #addInstance(json: unknown, of: Of): void {
    if (!isMembers(json)) throw this.#damaged(`"${of.address}" has an instance that is not an object`);
    const { index_key: key, status, deposed, schema_version: schemaVersion = 0, dependencies = [] } = json;
    if (key !== undefined && key !== null && typeof key !== "string" && !isIndex(key))
      throw this.#damaged(`"${of.address}" has an instance with the key ${JSON.stringify(key)}`);
    const own = typeof key === "string" || typeof key === "number" ? key : undefined;
    const address = `${of.address}${keyText(own)}${typeof deposed === "string" ? ` (deposed ${deposed})` : ""}`;
    if (!Number.isInteger(schemaVersion) || Number(schemaVersion) < 0)
      throw this.#damaged(`"${address}" has no valid schema version`);
    if (!Array.isArray(dependencies) || !dependencies.every((one) => typeof one === "string"))
      throw this.#damaged(`"${address}" has no valid list of dependencies`);
    const { mode, type, name, path, provider } = of;
    const isDeposed = deposed !== undefined && deposed !== "";
    const resource: ImportedResource = {
      address,
      scope: path,
      name,
      ...keyed(own),
      type,
      provider,
      value: this.#value(json, address, Number(schemaVersion)),
      dependencies,
      status: isDeposed ? "deposed" : status === "tainted" ? "tainted" : "ready",
    };
    this.all.push({ mode, resource });
  }

  #value(
    { attributes, attributes_flat: flat, private: bytes, sensitive_attributes: sensitive }: Members,
    address: string,
    schemaVersion: number,
  ): RecordedValue {
    const paths = sensitive === undefined || sensitive === null ? [] : sensitive;
    if (!Array.isArray(paths)) throw this.#damaged(`"${address}" has no valid list of sensitive attributes`);
    if (bytes !== undefined && bytes !== null && typeof bytes !== "string")
      throw this.#damaged(`"${address}" has malformed private data`);
    const common = {
      by: "state",
      schemaVersion,
      sensitive: paths.map((path) => this.#path(path, address)),
      ...(bytes ? { private: Buffer.from(bytes, "base64") } : {}),
    } as const;
    if (isMembers(attributes)) return { ...common, json: exactText(attributes) };
    if (attributes !== undefined && attributes !== null)
      throw this.#damaged(`"${address}" has attributes that are not an object`);
    if (!isMembers(flat)) return { ...common, json: "{}" };
    return { ...common, flatmap: Object.fromEntries(Object.entries(flat).map(([name, one]) => [name, String(one)])) };
  }

  #path(path: unknown, address: string): SensitivePath {
    if (!Array.isArray(path)) throw this.#damaged(`"${address}" has no valid list of sensitive attributes`);
    return path.map((step: unknown) => {
      const { type, value } = isMembers(step) ? step : {};
      if (type === "get_attr" && typeof value === "string") return value;
      const key = type === "index" && isMembers(value) ? value.value : undefined;
      if (typeof key === "string" || typeof key === "number") return key;
      throw this.#damaged(`"${address}" has no valid list of sensitive attributes`);
    });
  }

  #damaged(what: string): Error {
    return refused(this.#place, `is damaged: ${what}. Copy the state again.`);
  }
}

interface Of {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly path: ScopePath;
  readonly address: string;
  readonly provider: ImportedProvider;
}

function keyed(key: InstanceKey | undefined): { readonly key?: InstanceKey } {
  return key === undefined ? {} : { key };
}

function isIndex(key: unknown): key is number {
  return typeof key === "number" && Number.isInteger(key) && key >= 0;
}
