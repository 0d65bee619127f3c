/** A history of a stage: its program, its deployers, and the events meanwhile. Data that can be printed and pasted. */
import type { Blow } from "../../plugins/testing/simulation/simulated-process.js";
import type { Edit } from "./program.ts";
import type { Refusal } from "./users/refusals.ts";

/** The two stages of the world of moves; other worlds have only the first. */
export type StageName = "dev" | "next";

/** One process that does something with the stage. */
export interface Deployer {
  /** The one of three machines that it runs on. */
  readonly machine: number;
  /** Milliseconds after the beginning of the chapter. */
  readonly delay: number;
  /** `apply`: an up that is held to the last saved plan. `move`: moves the targets, or else all, to the other stage. */
  readonly does: "up" | "destroy" | "read" | "plan" | "apply" | "move";
  /** World of moves. Default: `dev`. */
  readonly stage?: StageName;
  readonly concurrency: number;
  readonly parallel: boolean;
  /** Milliseconds to wait for a living owner. */
  readonly lockTimeout: number;
  /** It takes the lock before its program runs. */
  readonly isEager?: boolean;
  readonly refresh: boolean;
  readonly force: boolean;
  /** Existing resources are adopted, whatever declares them. */
  readonly adopts?: boolean;
  /** Only these ids are acted on. */
  readonly targets: readonly string[];
  readonly blows: readonly Blow[];
  /** Probability that a request of a handler fails, before or after it has taken effect. */
  readonly mishap: number;
  /** Number of steps at the end of the program that it lacks. */
  readonly behind: number;
  /** The handlers of the process are installed, as in a program of its own. */
  readonly isWatched: boolean;
  /** World of users: it calls `engine.up()`. */
  readonly calls?: boolean;
  /** World of users: `maxDeletes: 0`. */
  readonly isLimited?: boolean;
  /** World of users: a plugin refuses to prune. */
  readonly vetoes?: boolean;
  /** World of users: `destroyOrphans: false`. */
  readonly keepsOrphans?: boolean;
  /**
   * World of users: afterwards it reads the finalized app by `app.run()`, and may finalize again; `empty`: with that
   * option, which says that the program is empty.
   */
  readonly looks?: "run" | "finalize" | "empty";
  /** World of users: its program also has these edits. */
  readonly own?: readonly Edit[];
  /** Edits after each of which the same process runs the program again. */
  readonly again: readonly (readonly Edit[])[];
}

export interface Chapter {
  readonly edits: readonly Edit[];
  readonly deployers: readonly Deployer[];
  /** Probabilities, of each request to the store. */
  readonly lostRequest: number;
  readonly lostReply: number;
  readonly repeated: number;
  /** Milliseconds: the store is unreachable. */
  readonly outage: readonly [from: number, length: number] | undefined;
  /** Milliseconds after which the power of all machines fails; the history ends with the remaining state. */
  readonly crash: number | undefined;
  /** Others delete or change the resources of these ids before the deployers start. */
  readonly drift: readonly { readonly id: string; readonly gone: boolean; readonly tag?: number }[];
  /** Others have created resources under the physical names of these ids before. */
  readonly foreign?: readonly { readonly id: string; readonly scope: "" | "x" | "y" }[];
  /** World of users: before the edits, the program is that of so many chapters ago. */
  readonly reverts?: number;
  /** World of users: refusals of services. */
  readonly refusals?: readonly Refusal[];
  /** World of users: before the deployers start, the user keeps all old copies that still wait for their delete. */
  readonly keepsCopies?: boolean;
  /** World of users: a plan is made before, and the run is held to it. */
  readonly isForeseen?: boolean;
}

export interface History {
  /** Default: a world in which only processes and their requests fail. */
  readonly world?: "users" | "moves";
  readonly store: "files" | "redis" | "bucket";
  /** Frequency of checkpoints: see live.ts. */
  readonly limits: number;
  /** Secrets are used. */
  readonly password: boolean;
  /** Seed of everything random in timing. */
  readonly seed: number;
  readonly chapters: readonly Chapter[];
}
