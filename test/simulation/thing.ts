/** The resources of the world, and the types of its requests. */
import type { HandlerBase } from "../../core/contract/index.js";
import type { Random } from "../../plugins/testing/simulation/random.js";
import type { SimulatedProcess } from "../../plugins/testing/simulation/simulated-process.js";
import type { Declaration, KindName } from "./program.ts";

export interface Thing {
  /** Unique; for a named kind its physical name. */
  readonly name: string;
  readonly kind: KindName;
  uid: string;
  fqn: string;
  readonly token: string;
  value: string;
  /** uids of the resources that it was made from. */
  uses: readonly string[];
  /** Those of them that the engine knows. */
  refs: readonly string[];
  /** uid of the resource in whose handler it was declared. */
  parent: string | undefined;
  /** Made by a process after another one had taken over from it. */
  readonly isStray: boolean;
  /** The program has released it, or never made it: it has no owner. */
  released?: boolean;
  /** Another program has made it. */
  readonly isForeign?: true;
  /** Its record may have another value, because an overtaken process or a foreign program has changed it. */
  isDoubtful?: boolean;
  /** Of types of the world of users. */
  tag?: number;
  /** Parts that a delete has left; undefined if the resource is whole. */
  rest?: number | undefined;
  /** It was retained, and its adoption has no result yet. */
  isReturning?: boolean;
  /** A user keeps it for good: no run deletes it any more. */
  isKept?: boolean;
  /** The prop `name` that it was made with. */
  title?: string;
  /** Time of its creation. */
  since?: number;
}

/** The value in its output that its users see. */
export function saysOf({ fqn, value }: Pick<Thing, "fqn" | "value">): string {
  return `${fqn} ${value.split(" ")[0]}`;
}

interface Deletion {
  readonly uid: string;
  readonly own: Thing | undefined;
  readonly warden: Warden;
  readonly isTargeted: boolean;
}

/** True for a resource that depends on one that is to be deleted, as far as the engine can tell. */
export function mustGoFirst(other: Thing, { uid, own, warden, isTargeted }: Deletion): boolean {
  // If the create of the dependent has an unknown result, only the value that it got shows whether it uses this one.
  const isTold = warden.isSettled(other.uid) || own === undefined || other.value.includes(saysOf(own));
  const uses = isTold && !isTargeted ? other.uses : other.refs;
  // If a run has excluded one of two resources, each may be made from the other.
  return uses.includes(uid) && !own?.refs.includes(other.uid);
}

export interface Call {
  readonly process: string;
  readonly phase: string;
  readonly fqn: string;
  readonly uid: string;
  readonly token: string;
  readonly kind: KindName;
}

/** The program's intention for a declaration. */
export interface Intention {
  readonly uses: readonly string[];
  readonly refs: readonly string[];
  readonly parent: string | undefined;
  /** An existing resource may be adopted. */
  readonly adopts: boolean;
  readonly protects: boolean;
  /** The declaration in the program. */
  readonly declared?: Declaration;
}

export const NO_INTENTION: Intention = { uses: [], refs: [], parent: undefined, adopts: false, protects: false };

/** Random failures in the handlers of a process. */
export interface Luck {
  /** Probability that a request fails. */
  readonly mishap: number;
  readonly random: Random;
  /**
   * Only these are acted on: a delete may leave resources that got a value of the deleted one, but no reference. Empty:
   * all are.
   */
  readonly targets: readonly string[];
  /** It listens to signals. */
  readonly isWatched: boolean;
}

/** Decides whether a process may act: asked when a handler begins. */
export interface Warden {
  /** The violations of a call that begins now. */
  begins(process: SimulatedProcess, call: Call): readonly string[];
  /** True if another process has taken over from it. */
  isOvertaken(process: SimulatedProcess): boolean;
  /** True while the resource is in the state. */
  isRecorded(thing: Thing): boolean;
  /** True if the state has its output. */
  isSettled(uid: string): boolean;
  isProtected(uid: string): boolean;
  /** Names of the processes that have recorded the intent to delete it. */
  deletersOf(uid: string): readonly string[];
  /** The records under a name, which may have had another one when it was made. */
  uidsAt(fqn: string): ReadonlySet<string>;
  /** The name under which it is recorded now. */
  nameOf(uid: string): string | undefined;
}

/** The part of a handler's context that the world sees. */
export type Caller = Pick<HandlerBase, "id" | "fqn" | "uid" | "token" | "profile" | "signal"> & {
  readonly phase: string;
};
