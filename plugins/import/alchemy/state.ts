/** Reads the state of a stage of Alchemy 0.94 from its folder (`.alchemy/APP/STAGE`). */
import type { Imported, ImportedResource, ImportedScope, ReadSettings, Refusal, ScopePath } from "../contract.js";
import { refused } from "../failure.js";
import { inferDependencies } from "../infer-dependencies.js";
import { isMembers } from "../members.js";
import { isUnfit, oneLine } from "../one-line.js";
import { type AlchemyFile, type AlchemyScope, alchemyStage } from "./folder.js";
import { Values } from "./values.js";

const SCOPE_KIND = "alchemy::Scope";

/** @throws EngineError `IMPORT_REFUSED` if the folder is damaged, holds several stages, or cannot be decrypted */
export async function readAlchemy({ place, passphrase }: ReadSettings): Promise<Imported> {
  const { app, stage, root } = await alchemyStage(place);
  const reading = new Reading(place, new Values(place, passphrase));
  await reading.addScope(root, []);
  return {
    source: { tool: "Alchemy", place, app, stage },
    scopes: reading.scopes,
    resources: inferDependencies(reading.resources),
    dataSources: [],
    dependencies: "inferred",
    outputs: [],
    refusals: reading.refusals,
    notes: reading.notes,
  };
}

/** One file, checked. */
interface Recorded {
  readonly kind: string;
  readonly id: string;
  readonly sequence: number;
  readonly status: string;
  readonly file: AlchemyFile;
  readonly members: Readonly<Record<string, unknown>>;
}

class Reading {
  readonly scopes: ImportedScope[] = [];
  readonly resources: ImportedResource[] = [];
  readonly refusals: Refusal[] = [];
  readonly notes: string[] = [];
  readonly #place: string;
  readonly #values: Values;

  constructor(place: string, values: Values) {
    this.#place = place;
    this.#values = values;
  }

  /** Adds resources in the order in which the program declared them, so that each follows its dependencies. */
  async addScope(scope: AlchemyScope, path: ScopePath): Promise<void> {
    const rest = new Map(scope.scopes);
    const all = scope.files.map((file) => this.#recorded(file)).sort((one, other) => one.sequence - other.sequence);
    for (const one of all) {
      const folder = one.id.replaceAll("/", ":");
      const inner = rest.get(folder);
      rest.delete(folder);
      if (one.kind === SCOPE_KIND) await this.#enter(inner, [...path, { name: one.id }]);
      else {
        if (inner && hasResources(inner)) {
          const address = addressOf(path, one.id);
          this.notes.push(
            `The handler of "${address}" declared resources of its own. The program declares them in the scope "${one.id}-parts".`,
          );
          await this.#enter(inner, [...path, { name: `${one.id}-parts` }]);
        }
        await this.#addResource(one, path);
      }
      this.#refuseUnfinished(one, path);
    }
    for (const [name, inner] of rest) await this.#enter(inner, [...path, { name: name.replaceAll(":", "/") }]);
  }

  async #enter(scope: AlchemyScope | undefined, path: ScopePath): Promise<void> {
    if (!scope || !hasResources(scope)) return;
    this.scopes.push({ path });
    await this.addScope(scope, path);
  }

  async #addResource({ kind, id, members }: Recorded, path: ScopePath): Promise<void> {
    const [props = {}, output = {}] = await Promise.all([
      this.#values.decoded(members.props),
      this.#values.decoded(members.output),
    ]);
    this.resources.push({
      address: addressOf(path, id),
      scope: path,
      name: id,
      type: kind,
      value: { by: "value", props, output },
      dependencies: [],
      status: "ready",
    });
  }

  #refuseUnfinished({ id, status, members }: Recorded, path: ScopePath): void {
    const address = addressOf(path, id);
    const isDone = status === "created" || status === "updated";
    if (!isDone)
      this.refusals.push({
        address,
        reason: `its last run was interrupted (${status})`,
        advice: "Run the Alchemy program once, so that it finishes.",
      });
    const pending = isMembers(members.data) ? members.data.pendingDeletions : undefined;
    if (Array.isArray(pending) && pending.length > 0)
      this.refusals.push({
        address,
        reason: "old copies that were replaced in it are not deleted yet",
        advice: "Run the Alchemy program once, which deletes them.",
      });
  }

  #recorded(file: AlchemyFile): Recorded {
    const { json, path } = file;
    if (!isMembers(json)) throw this.#damaged(path, "is not a JSON object");
    const { kind, id, seq, status } = json;
    if (typeof kind !== "string" || kind === "") throw this.#damaged(path, "has no kind");
    if (isUnfit(kind)) throw this.#damaged(path, "has a kind with blanks or control characters");
    if (typeof id !== "string" || id === "") throw this.#damaged(path, "has no id");
    if (typeof status !== "string") throw this.#damaged(path, "has no status");
    const sequence = typeof seq === "number" ? seq : Number.MAX_SAFE_INTEGER;
    return { kind, id, sequence, status, file, members: json };
  }

  #damaged(path: string, what: string): Error {
    return refused(this.#place, `is damaged: "${path}" ${what}.`);
  }
}

function hasResources({ files, scopes }: AlchemyScope): boolean {
  return files.length > 0 || [...scopes.values()].some(hasResources);
}

function addressOf(path: ScopePath, id: string): string {
  return oneLine([...path.map(({ name }) => name), id].join("/"));
}
