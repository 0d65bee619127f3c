/** Physical names of what is recorded: two things cannot have one name, wherever their records stand by now. */

import type { ResourceRecord } from "../contract/index.js";
import type { Contents } from "../state/index.js";

/** Those of one generation of declarations. */
export class TakenNames {
  /** The uid that has taken each name; made when the first new record is named. */
  #holders: Map<string, string> | undefined;

  /** True while the name is that of something else: recorded under another key, or a part of another copy of the parent. */
  isTaken(name: string, { key, parent }: Pick<ResourceRecord, "key" | "parent">, { records }: Contents): boolean {
    if (!this.#holders) {
      this.#holders = new Map();
      for (const { physicalName, uid } of records.values()) this.#holders.set(physicalName, uid);
    }
    const holder = records.get(this.#holders.get(name) ?? "");
    if (holder?.physicalName !== name) return false;
    return holder.key !== key || holder.parent !== parent;
  }

  take(name: string, uid: string): void {
    this.#holders?.set(name, uid);
  }
}
