/** What a run sees of the state: what is recorded, its own changes included, durable or not. Remembers what was read. */

import type { Encoded, ResourceRecord } from "../../contract/index.js";
import type { Change, Contents } from "../change.js";
import { Reads } from "../reads.js";

export class View {
  readonly reads = new Reads();
  #contents: Contents;
  /** They are the session's own, until the first change. */
  #isShared = true;
  /** Changes that go with the next ones. */
  #piggybacked: Change[] = [];

  constructor(contents: Contents) {
    this.#contents = contents;
  }

  get contents(): Contents {
    return this.#contents;
  }

  record(key: string): ResourceRecord | undefined {
    return this.reads.record(this.#contents, key);
  }

  data(owner: string, key: string): Encoded | undefined {
    return this.reads.data(this.#contents, owner, key);
  }

  all(): Contents {
    this.reads.everything();
    return this.#contents;
  }

  get hasPiggybacked(): boolean {
    return this.#piggybacked.length > 0;
  }

  /** Goes with the next changes; seen at once. */
  piggyback(change: Change): void {
    this.see([change]);
    this.#piggybacked.push(change);
  }

  /** The changes, behind what goes with them. */
  withPiggybacked(changes: readonly Change[]): readonly Change[] {
    if (this.#piggybacked.length === 0) return changes;
    const all = [...this.#piggybacked, ...changes];
    this.#piggybacked = [];
    return all;
  }

  see(changes: readonly Change[]): void {
    if (this.#isShared) {
      this.#contents = this.#contents.copy();
      this.#isShared = false;
    }
    for (const change of changes) this.#contents.apply(change);
  }

  /** Goes on from what was loaded, with changes that are not durable yet. */
  begin(loaded: Contents, queued: readonly Change[]): void {
    this.#contents = loaded.copy();
    this.#isShared = false;
    for (const change of [...queued, ...this.#piggybacked]) this.#contents.apply(change);
  }
}
