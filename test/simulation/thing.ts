/** What the world is made of, and what it is told and asked. */
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
  /** uids of what it was made from. */
  uses: readonly string[];
  /** Those of them that the engine knows of. */
  refs: readonly string[];
  /** uid of the resource in whose handler it was declared. */
  parent: string | undefined;
  /** Made by a process that another one had taken over from meanwhile. */
  readonly isStray: boolean;
  /** The program has given it up, or never made it: it belongs to nobody. */
  released?: boolean;
  /** Somebody else has made it. */
  readonly isForeign?: true;
  /** What is recorded of it may be another value: a process that was overtaken has changed it, or nobody of this project. */
  isDoubtful?: boolean;
  /** Of types of the world of users. */
  tag?: number;
  /** Parts that a delete has left; undefined if the thing is whole. */
  rest?: number | undefined;
  /** It was retained, and its adoption has no result yet. */
  isReturning?: boolean;
  /** A user keeps it for good: no run deletes it any more. */
  isKept?: boolean;
  /** The prop `name` that it was made with. */
  title?: string;
  /** When it was made. */
  since?: number;
}

/** What its output tells those who use it. */
export function saysOf({ fqn, value }: Pick<Thing, "fqn" | "value">): string {
  return `${fqn} ${value.split(" ")[0]}`;
}

interface Deletion {
  readonly uid: string;
  readonly own: Thing | undefined;
  readonly warden: Warden;
  readonly isTargeted: boolean;
}

/** True for what is made from something that is to be deleted, as far as the engine can tell. */
export function mustGoFirst(other: Thing, { uid, own, warden, isTargeted }: Deletion): boolean {
  // Who uses one whose create nobody knows the end of is known by what that says now.
  const isTold = warden.isSettled(other.uid) || own === undefined || other.value.includes(saysOf(own));
  const uses = isTold && !isTargeted ? other.uses : other.refs;
  // Where a run has left out one of two, each may be made from the other.
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

/** What the program had in mind with a declaration. */
export interface Intention {
  readonly uses: readonly string[];
  readonly refs: readonly string[];
  readonly parent: string | undefined;
  /** What is there already may be taken over. */
  readonly adopts: boolean;
  readonly protects: boolean;
  /** As the program has it. */
  readonly declared?: Declaration;
}

export const NO_INTENTION: Intention = { uses: [], refs: [], parent: undefined, adopts: false, protects: false };

/** How handlers of a process fare. */
export interface Luck {
  /** Probability that a request fails. */
  readonly mishap: number;
  readonly random: Random;
  /** Only these are touched: what it deletes may leave others that were given a value of it, and no reference. Empty: all are. */
  readonly targets: readonly string[];
  /** It hears signals. */
  readonly isWatched: boolean;
}

/** Whether a process may act: asked when a handler begins. */
export interface Warden {
  /** What is wrong with a call that begins now. */
  begins(process: SimulatedProcess, call: Call): readonly string[];
  /** True where another one has taken over from the process. */
  isOvertaken(process: SimulatedProcess): boolean;
  /** True while the state knows of the thing. */
  isRecorded(thing: Thing): boolean;
  /** True where the state has its output. */
  isSettled(uid: string): boolean;
  isProtected(uid: string): boolean;
  /** Names of the processes that have recorded that they delete it. */
  deletersOf(uid: string): readonly string[];
  /** What is recorded under a name, which may have had another one when it was made. */
  uidsAt(fqn: string): ReadonlySet<string>;
  /** The name under which it is recorded now. */
  nameOf(uid: string): string | undefined;
}

/** Of a handler's context what the world is told. */
export type Caller = Pick<HandlerBase, "id" | "fqn" | "uid" | "token" | "profile" | "signal"> & {
  readonly phase: string;
};
