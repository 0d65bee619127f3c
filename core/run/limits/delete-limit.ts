/** The limit on the number of resources that a run may delete (`maxDeletes`). */
import { EngineError } from "../../base/index.js";
import { fqnIn, type ResourceRecord, type Scope } from "../../contract/index.js";
import type { Recorded } from "./selection.js";

/** Maximum number of names in the message. */
const MOST = 20;

/** Returns the uids of records whose real resources stay: only their records are removed. */
type RetainedOf = (records: readonly ResourceRecord[]) => ReadonlySet<string>;

export class DeleteLimit {
  /** Maximum number of deletes. */
  readonly most: number;
  /** Explains a percentage in the message. */
  readonly #share: string;
  /** Number of deletes before replacements. */
  #first = 0;
  /** Old copies from earlier runs. */
  readonly #oldCopies: ReadonlySet<string>;
  readonly #root: Scope;
  readonly #retainedOf: RetainedOf;

  private constructor(given: number | `${number}%`, { ledger, root }: Recorded, retainedOf: RetainedOf) {
    const records = [...ledger.contents.records.values()];
    this.#root = root;
    this.#retainedOf = retainedOf;
    const living = records.filter(({ replaced }) => !replaced).length;
    this.most = limitOf(given, living);
    this.#share = typeof given === "number" ? "" : ` (${given} of ${living})`;
    this.#oldCopies = new Set(records.flatMap(({ uid, replaced }) => (replaced ? uid : [])));
  }

  static of(app: Recorded, retainedOf: RetainedOf): DeleteLimit | undefined {
    const { maxDeletes, phase } = app.options;
    return maxDeletes === undefined || phase !== "up" ? undefined : new DeleteLimit(maxDeletes, app, retainedOf);
  }

  /**
   * Returns the deletes that count: neither copies that this run has replaced, nor records whose real resources stay.
   */
  counted(records: readonly ResourceRecord[]): readonly ResourceRecord[] {
    const retained = this.#retainedOf(records);
    return records.filter(({ uid, replaced }) => !retained.has(uid) && (!replaced || this.#oldCopies.has(uid)));
  }

  /** Number of deletes that are still allowed. */
  get left(): number {
    return Math.max(0, this.most - this.#first);
  }

  /** Counts deletes before a replacement. @throws EngineError `TOO_MANY_DELETES` */
  take(records: readonly ResourceRecord[]): void {
    const error = this.excess(records, "The run would delete");
    if (error) throw error;
    this.#first += this.counted(records).length;
  }

  /** Returns undefined if the limit is respected. */
  excess(records: readonly ResourceRecord[], who = "finalize() would delete"): EngineError | undefined {
    const counted = this.counted(records);
    if (counted.length <= this.left) return undefined;
    const names = counted.slice(0, MOST).map(({ key }) => `\n  - ${fqnIn(this.#root, key)}`);
    const more = counted.length > MOST ? `\n  - and ${counted.length - MOST} more` : "";
    const already = this.#first === 0 ? "" : `, and has already deleted ${this.#first} before replacements`;
    // The program may have deleted others itself, so "nothing was deleted" may be wrong.
    const outcome = counted.length === 1 ? "This resource was not deleted" : "These resources were not deleted";
    return new EngineError(
      "TOO_MANY_DELETES",
      `${who} ${numberOf(counted.length)}${already}, but maxDeletes allows ${this.most}${this.#share}. ${outcome}:${names.join("")}${more}\nIf declarations are missing by mistake, add them. Otherwise allow more (maxDeletes, --max-deletes), delete some at a time (target), or keep these resources (destroyOrphans: false).`,
    );
  }
}

/** @param recorded number of resources that a percentage applies to */
export function limitOf(given: number | `${number}%`, recorded: number): number {
  return typeof given === "number" ? given : Math.floor((recorded * Number(given.slice(0, -1))) / 100);
}

function numberOf(count: number): string {
  return count === 1 ? "1 resource" : `${count} resources`;
}
