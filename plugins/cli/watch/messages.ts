/** What a watch session and the process that runs the program for it tell each other. */

/** A file, and what it was like when the program was made of it. */
export interface Source {
  readonly path: string;
  readonly stamp: string;
}

/** From the session to the program's process. */
export type Order =
  /** Its files have changed: it is to end as cleanly as it can. */
  | { readonly type: "end" }
  /** The session was sent a signal so many times. A terminal, or whoever ends a group, sends it to both. */
  | { readonly type: "signal"; readonly signal: SessionSignal; readonly count: number };

/** What a session can be told to end by. */
export type SessionSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export const SESSION_SIGNALS: readonly SessionSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** From the program's process to the session. */
export type News =
  /** What the program is made of; `failed` where that is not all, for it has faults. */
  | { readonly type: "sources"; readonly sources: readonly Source[]; readonly failed: boolean }
  /** It has opened an app that keeps its processes in this folder. */
  | { readonly type: "opened"; readonly rootDir: string }
  /** It is not ended before somebody has answered a question. */
  | { readonly type: "asking" }
  /** It has begun to end: a run that has to let go of its state, or only the program. */
  | { readonly type: "ending"; readonly what: "run" | "program" };

const NEWS: ReadonlySet<unknown> = new Set(["sources", "opened", "asking", "ending"]);

/** False for what the program has sent by itself. */
export function isNews(message: unknown): message is News {
  return isOurs(message) && NEWS.has(Reflect.get(message, "type"));
}

/** False for what was sent by somebody else. */
export function isOrder(message: unknown): message is Order {
  return isOurs(message) && ["end", "signal"].includes(String(Reflect.get(message, "type")));
}

const MARK = "scope-engine/watch@1";

/** As it goes over the wire. */
export function marked<T extends News | Order>(message: T): T & { readonly from: string } {
  return { ...message, from: MARK };
}

function isOurs(message: unknown): message is object {
  return typeof message === "object" && message !== null && Reflect.get(message, "from") === MARK;
}
