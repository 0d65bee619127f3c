/** Messages between a watch session and the process that runs the program for it. */

/** A file, and its stamp when the program was loaded. */
export interface Source {
  readonly path: string;
  readonly stamp: string;
}

/** From the session to the program's process. */
export type Order =
  /** The files of the program have changed: end as cleanly as possible. */
  | { readonly type: "end" }
  /** The session got a signal `count` times. A terminal, or a signal to the group, reaches both processes. */
  | { readonly type: "signal"; readonly signal: SessionSignal; readonly count: number };

/** A signal that ends a session. */
export type SessionSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export const SESSION_SIGNALS: readonly SessionSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** From the program's process to the session. */
export type News =
  /** Files of the program; `failed` is true if faults kept the list from being complete. */
  | { readonly type: "sources"; readonly sources: readonly Source[]; readonly failed: boolean }
  /** The program opened an app that keeps its processes in this folder. */
  | { readonly type: "opened"; readonly rootDir: string }
  /** The program waits for the answer to a question before it ends. */
  | { readonly type: "asking" }
  /** The program is ending: with a run that must release its state, or without one. */
  | { readonly type: "ending"; readonly what: "run" | "program" };

const NEWS: ReadonlySet<unknown> = new Set(["sources", "opened", "asking", "ending"]);

/** False for messages that the program sent itself. */
export function isNews(message: unknown): message is News {
  return isOurs(message) && NEWS.has(Reflect.get(message, "type"));
}

/** False for messages that do not come from a session. */
export function isOrder(message: unknown): message is Order {
  return isOurs(message) && ["end", "signal"].includes(String(Reflect.get(message, "type")));
}

const MARK = "scope-engine/watch@1";

/** Adds the mark of this protocol to a message. */
export function marked<T extends News | Order>(message: T): T & { readonly from: string } {
  return { ...message, from: MARK };
}

function isOurs(message: unknown): message is object {
  return typeof message === "object" && message !== null && Reflect.get(message, "from") === MARK;
}
