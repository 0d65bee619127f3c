/** Physical names that something has, or may have: two real things cannot have one name. */

import type { ResourceRecord } from "../contract/index.js";
import { type Contents, isNameRetained } from "../state/index.js";

/** Whom a name is for. */
export interface Namesake extends Pick<ResourceRecord, "key" | "uid" | "parent"> {
  /** uid of the copy that is deleted before this one is made, and whose name is free by then. */
  readonly before: string | undefined;
}

/** Those of one run. */
export class TakenNames {
  /** The uid, or the uids, that have taken each name; made when the first new record is named. */
  #holders: Map<string, string | readonly string[]> | undefined;
  /** Whom each name was given to in this run, recorded or not. */
  readonly #given = new Map<string, string>();

  /**
   * True while a record other than its own has the name, or may have made something of that name: also an old copy that waits for its
   * delete. And while a retained resource has it.
   */
  isTaken(name: string, namesake: Namesake, contents: Contents): boolean {
    const given = this.#given.get(name);
    if (given !== undefined && given !== placeOf(namesake)) return true;
    const holders = this.#holdersIn(contents).get(name);
    if (holders !== undefined && [holders].flat().some((uid) => isHeldBy(uid, name, namesake, contents))) return true;
    return isNameRetained(contents, name);
  }

  take(name: string, namesake: Namesake): void {
    this.#given.set(name, placeOf(namesake));
    if (this.#holders) add(this.#holders, name, namesake.uid);
  }

  #holdersIn({ records }: Contents): Map<string, string | readonly string[]> {
    if (!this.#holders) {
      this.#holders = new Map();
      for (const { physicalName, uid } of records.values()) add(this.#holders, physicalName, uid);
    }
    return this.#holders;
  }
}

function isHeldBy(uid: string, name: string, { uid: own, before }: Namesake, { records }: Contents): boolean {
  return uid !== own && uid !== before && records.get(uid)?.physicalName === name;
}

/** Nearly every name is that of one record: a list for each would take as much memory as the records. */
function add(holders: Map<string, string | readonly string[]>, name: string, uid: string): void {
  const there = holders.get(name);
  if (there === undefined) holders.set(name, uid);
  else if (there !== uid) holders.set(name, [...[there].flat(), uid]);
}

/** A part of an old copy, and the same part of the new one, are two. */
function placeOf({ key, parent }: Namesake): string {
  return `${parent ?? ""} ${key}`;
}
