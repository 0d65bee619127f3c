/** Physical names that are taken or may be: two real resources cannot have the same name. */

import type { ResourceRecord } from "../contract/index.js";
import { type Contents, isNameRetained } from "../state/index.js";

/** The resource that a name is for. */
export interface Namesake extends Pick<ResourceRecord, "key" | "uid" | "parent"> {
  /** Uid of the copy that is deleted before this one is created, and whose name is free by then. */
  readonly before: string | undefined;
}

/** The taken names of one run. */
export class TakenNames {
  /** The uid, or the uids, that have taken each name; built when the first new record is named. */
  #holders: Map<string, string | readonly string[]> | undefined;
  /** The resource that got each name in this run, recorded or not. */
  readonly #given = new Map<string, string>();

  /**
   * True while another record has the name, or may have created a real resource with it, such as an old copy that waits
   * for its delete; and while a retained resource has it.
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
    if (this.#holders) addHolder(this.#holders, name, namesake.uid);
  }

  #holdersIn({ records }: Contents): Map<string, string | readonly string[]> {
    if (!this.#holders) {
      this.#holders = new Map();
      for (const { physicalName, uid } of records.values()) addHolder(this.#holders, physicalName, uid);
    }
    return this.#holders;
  }
}

function isHeldBy(uid: string, name: string, { uid: own, before }: Namesake, { records }: Contents): boolean {
  return uid !== own && uid !== before && records.get(uid)?.physicalName === name;
}

/** Nearly every name belongs to one record: a list for each would take as much memory as the records. */
function addHolder(holders: Map<string, string | readonly string[]>, name: string, uid: string): void {
  const there = holders.get(name);
  if (there === undefined) holders.set(name, uid);
  else if (there !== uid) holders.set(name, [...[there].flat(), uid]);
}

/** Distinguishes a child of an old copy from the same child of the new one. */
function placeOf({ key, parent }: Namesake): string {
  return parent === undefined ? key : `${parent} ${key}`;
}
