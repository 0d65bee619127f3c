/** A history of a stage: its program, who deploys it, and what happens meanwhile. Data that can be printed and pasted. */
import type { Blow } from "../../plugins/testing/simulation/simulated-process.js";
import type { Edit } from "./program.ts";
import type { Refusal } from "./users/refusals.ts";

/** One process that does something with the stage. */
export interface Deployer {
  /** Which of three machines it runs on. */
  readonly machine: number;
  /** Milliseconds after the beginning of the chapter. */
  readonly delay: number;
  /** `apply`: an up that keeps to the plan that was saved last. */
  readonly does: "up" | "destroy" | "read" | "plan" | "apply";
  readonly concurrency: number;
  readonly parallel: boolean;
  /** Milliseconds to wait for a living owner. */
  readonly lockTimeout: number;
  /** It takes its turn before its program runs. */
  readonly isEager?: boolean;
  readonly refresh: boolean;
  readonly force: boolean;
  /** What is there already is taken over, whatever declares it. */
  readonly adopts?: boolean;
  /** Ids that alone are acted on. */
  readonly targets: readonly string[];
  readonly blows: readonly Blow[];
  /** Probability that a request of a handler fails, before or after it has taken effect. */
  readonly mishap: number;
  /** Steps at the end of the program that it does not have. */
  readonly behind: number;
  /** What watches over the process is installed, as in a program of its own. */
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
   * World of users: afterwards it looks at the finalized app by `app.run()`, and may finalize again; `empty`: with that option, which
   * says that the program is empty.
   */
  readonly looks?: "run" | "finalize" | "empty";
  /** World of users: its program has these edits besides. */
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
  /** Milliseconds: the store is away. */
  readonly outage: readonly [from: number, length: number] | undefined;
  /** Milliseconds after which the power of all machines fails; the history ends with what is left then. */
  readonly crash: number | undefined;
  /** Somebody takes things of these ids away, or changes them, before the deployers come. */
  readonly drift: readonly { readonly id: string; readonly gone: boolean; readonly tag?: number }[];
  /** Somebody has made things under the physical names of these ids before. */
  readonly foreign?: readonly { readonly id: string; readonly scope: "" | "x" | "y" }[];
  /** World of users: the program is, before the edits, that of so many chapters before. */
  readonly reverts?: number;
  /** World of users: what services refuse. */
  readonly refusals?: readonly Refusal[];
  /** World of users: before the deployers come, the user keeps all old copies that still wait for their delete. */
  readonly keepsCopies?: boolean;
  /** World of users: a plan is made before, and the run must keep to it. */
  readonly isForeseen?: boolean;
}

export interface History {
  /** Default: a world in which only processes and their requests fail. */
  readonly world?: "users";
  readonly store: "files" | "redis" | "bucket";
  /** How often checkpoints are made: see live.ts. */
  readonly limits: number;
  /** Secrets are used. */
  readonly password: boolean;
  /** Chance of everything that has to do with time. */
  readonly seed: number;
  readonly chapters: readonly Chapter[];
}
