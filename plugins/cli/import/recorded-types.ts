/** Types that make the records of resources without a provider, in the run in memory. */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { EngineError, isAbsence } from "../../../core/base/index.js";
import { Resource } from "../../../core/resource/index.js";
import { type Refusal, Sensitive } from "../../import/contract.js";
import type { SettledResource } from "../../import/program/settled.js";
import { Secret } from "../../secrets/secret.js";
import { terraformData } from "../../terraform/terraform-data.js";

export class RecordedTypes {
  /** Outputs to record, by the resource's FQN below its stage. */
  readonly #outputs = new Map<string, unknown>();
  readonly #types = new Map<string, unknown>();

  /** Returns the function that declares a resource. @param key FQN below the stage */
  async functionFor({ call, record, address }: SettledResource, key: string): Promise<unknown> {
    if (record) {
      this.#outputs.set(key, withSecrets(record.output, address));
      return this.#recorded(record.kind);
    }
    if (call.by !== "type") throw new EngineError("INVALID_DEFINITION", `"${address}" has no type.`);
    switch (call.functionName) {
      case "File":
        return (await import("../../resources/file.js")).File;
      case "Folder":
        return (await import("../../resources/folder.js")).Folder;
      default:
        return terraformData;
    }
  }

  /** Returns a type whose create does nothing and returns the recorded output. */
  #recorded(kind: string): unknown {
    const known = this.#types.get(kind);
    if (known) return known;
    const outputs = this.#outputs;
    const made = Resource<unknown, Record<string, unknown>>(kind, {
      create: ({ fqn }) => outputs.get(fqn.split("/").slice(2).join("/")),
      delete: () => {},
    });
    this.#types.set(kind, made);
    return made;
  }
}

function withSecrets(value: unknown, name: string): unknown {
  if (value instanceof Sensitive) return new Secret(value.value, name);
  if (Array.isArray(value)) return value.map((one) => withSecrets(one, name));
  if (typeof value !== "object" || value === null || value instanceof Date || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, withSecrets(one, name)]));
}

/** Compares files and folders with their records, because the adoption of another one would change it. */
export async function differingFiles(
  resources: readonly SettledResource[],
  rootDir: string,
): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  for (const { address, call, record, props } of resources) {
    if (record || call.by !== "type" || (call.functionName !== "File" && call.functionName !== "Folder")) continue;
    const path = resolve(rootDir, String(props.path));
    const why = call.functionName === "File" ? await fileDiffers(path, props.content) : await folderDiffers(path);
    if (why !== undefined)
      refusals.push({ address, reason: `"${path}" ${why}`, advice: "Deploy once with the old tool, in this folder." });
  }
  return refusals;
}

async function fileDiffers(path: string, content: unknown): Promise<string | undefined> {
  try {
    return (await readFile(path)).equals(Buffer.from(String(content))) ? undefined : "has another content";
  } catch (error) {
    if (isAbsence(error)) return "does not exist";
    throw error;
  }
}

async function folderDiffers(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : "is not a folder";
  } catch (error) {
    if (isAbsence(error)) return "does not exist";
    throw error;
  }
}
