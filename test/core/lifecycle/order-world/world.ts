/** What is really there after any number of runs: copies of resources, and what each of them truly stands on. */
import type { PlaceAt } from "../../../../core/state/change.ts";
import type { Position } from "../../../../core/state/record.ts";

export interface Copy {
  readonly uid: string;
  readonly key: string;
  readonly name: string;
  readonly parent?: string;
  ready: Position;
  done?: Position;
  refs: readonly string[];
  /** An old copy that a replacement left behind, or a child of one. */
  replaced?: true;
  /** Its parent's handler ran to its end without declaring it. */
  orphaned?: true;
  settled: boolean;
  props: string;
  /** The program's number of the copy. */
  number: number;
  value: string;
  /** Outputs of children that its own output passes on: uids by name. */
  exposes: ReadonlyMap<string, string>;
  /** What was resolved when its last handler run began, whether it was used or not. */
  seen: ReadonlySet<string>;
  /** What its last handler run used. */
  uses: ReadonlySet<string>;
  /** What its last successful handler run used. */
  standsOn: ReadonlySet<string>;
}

export class World {
  readonly copies = new Map<string, Copy>();
  #count = 0;

  newUid(name: string): string {
    return `${name}${++this.#count}`;
  }

  at(key: string): Copy | undefined {
    for (const copy of this.copies.values()) if (copy.key === key && !copy.replaced) return copy;
    return undefined;
  }

  place(moves: readonly PlaceAt[]): void {
    for (const { uid, ready, done } of moves) {
      const copy = this.copies.get(uid);
      if (!copy) throw new Error(`${uid} was moved and is not recorded`);
      copy.ready = ready;
      if (done) copy.done = done;
    }
  }

  /** The copies declared in its handler, at any depth. */
  descendants(uid: string): Copy[] {
    return [...this.copies.values()].filter(({ parent }) => parent === uid).flatMap((copy) => [copy, ...this.descendants(copy.uid)]);
  }
}
