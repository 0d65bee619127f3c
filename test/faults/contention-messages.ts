/** What a worker and its parent tell each other, and what a worker leaves in the world. */

/** A lease, unless a worker is told another one, in milliseconds. */
export const TTL = 500;
/** Resources that every run changes, one after the other. */
export const STEPS = 5;

/** Work for one run, until it has got through; what lets handlers that hold go on; or the end. */
export type Order = { readonly run: number; readonly holds?: boolean } | "release" | "end";

export type Report =
  | { readonly type: "ready" | "waiting" | "locked" | "unlocked" | "taken-over" | "started" }
  | { readonly type: "done"; readonly run: number };

/** A line of the world's log. Each worker adds its own, and none is ever taken away. */
export type WorldLine =
  | {
      /** A handler began or ended. */
      readonly at: "start" | "end";
      readonly session: string;
      readonly pid: number;
      readonly id: string;
      /** No two runs have the same one. */
      readonly value: string;
    }
  /** A run was told that it cannot believe what it has found. */
  | { readonly at: "doubted"; readonly pid: number; readonly code: string }
  /** The store has told the session that one more line of entry `seq` is durable. */
  | { readonly at: "acknowledged"; readonly session: string; readonly pid: number; readonly seq: number };
