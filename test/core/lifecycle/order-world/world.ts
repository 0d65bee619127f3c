/** The real resources after any number of runs: copies, and the true dependencies of each. */

import type { Position } from "../../../../core/contract/index.js";
import type { PlaceAt } from "../../../../core/state/index.js";

export interface Copy {
  readonly uid: string;
  readonly key: string;
  /** The copy whose handler declared it. */
  readonly parent?: string;
  ready: Position;
  done?: Position;
  refs: readonly string[];
  /** Another copy replaced it; it waits for its deletion. */
  replaced?: true;
  /** Its parent's handler ended without declaring it. */
  dropped?: true;
  /** Its last handler run succeeded. */
  settled: boolean;
  props: string;
  /** The copy number that the program declared. */
  readonly number: number;
  output: string;
  /** Outputs of its children that its own output passes on: uids by name. */
  exposes: ReadonlyMap<string, string>;
  /** Uids that its last handler run used. */
  uses: readonly string[];
  /** Uids that its last successful handler run used. */
  standsOn: readonly string[];
  /** Uids that were resolved when its last handler run was decided on, used or not. */
  seen: readonly string[];
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

  get(uid: string | undefined): Copy | undefined {
    return uid === undefined ? undefined : this.copies.get(uid);
  }

  place(moves: readonly PlaceAt[]): void {
    for (const { uid, ready, done } of moves) {
      const copy = this.copies.get(uid);
      if (!copy) throw new Error(`${uid} was moved and is not recorded`);
      copy.ready = ready;
      copy.done = done;
    }
  }

  children(uid: string): Copy[] {
    return [...this.copies.values()].filter(({ parent }) => parent === uid);
  }

  /** The copy, and the copies declared in its handler at any depth. */
  family(copy: Copy): Copy[] {
    return [copy, ...this.children(copy.uid).flatMap((child) => this.family(child))];
  }

  /**
   * An unchanged resource was given equal outputs of other copies: these replace the copies that it and its children
   * were made from. Copies whose names changed do not count.
   */
  shown(same: Copy, used: ReadonlyMap<string, string>): void {
    const now = [...used.values()];
    const instead = (uid: string): readonly string[] => {
      if (!same.uses.includes(uid) || now.includes(uid)) return [uid];
      return now.filter((other) => this.get(other)?.key === this.get(uid)?.key);
    };
    const changes = this.family(same).map((copy) => {
      return { copy, uses: copy.uses.flatMap(instead), standsOn: copy.standsOn.flatMap(instead) };
    });
    for (const { copy, uses, standsOn } of changes) Object.assign(copy, { uses, standsOn });
  }
}
