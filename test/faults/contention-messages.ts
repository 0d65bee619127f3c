/** Messages between a worker and its parent, and the traces of a worker in the world. */

/** The lease of a worker in milliseconds, unless its options say otherwise. */
export const TTL = 500;
/** Resources that every run changes, one after the other. */
export const STEPS = 5;

/** An order to run, until the run succeeds; to release held handlers; or to end. */
export type Order = { readonly run: number; readonly holds?: boolean } | "release" | "end";

export type Report =
  | { readonly type: "ready" | "waiting" | "locked" | "unlocked" | "taken-over" | "started" }
  | { readonly type: "done"; readonly run: number };

/** A line of the world's log. Each worker appends its own lines, and no line is ever removed. */
export type WorldLine =
  | {
      /** A handler began or ended. */
      readonly at: "start" | "end";
      readonly session: string;
      readonly pid: number;
      readonly id: string;
      /** Unique in all runs. */
      readonly value: string;
    }
  /** A run reported that it cannot trust the loaded state. */
  | { readonly at: "doubted"; readonly pid: number; readonly code: string }
  /** The store acknowledged to the session that one more line of entry `seq` is durable. */
  | { readonly at: "acknowledged"; readonly session: string; readonly pid: number; readonly seq: number };
