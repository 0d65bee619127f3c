/** Whose session a stage has, as errors, events and tools tell it. */
import type { ProcessName } from "./machine/identity.js";

/** Who has a stage: what the session says of itself, and what this machine knows of its process. */
export interface StageHolder extends ProcessName {
  /** Made anew for each session. */
  readonly session: string;
  /** What the session is for: a phase such as `up`, or a command that changes the state, such as `restore`. */
  readonly command: string;
  /** ISO 8601, for people; nothing is decided by it. */
  readonly since: string;
  /** Address of the CI run, where it is one. */
  readonly ci?: string;
  /** What this machine knows of its process; `unknown` of one that runs elsewhere. */
  readonly process: "gone" | "runs" | "stopped" | "unknown";
  /** Milliseconds of silence after which it counts as dead, and the next run takes over. */
  readonly ttl: number;
  /** Version of the library that it writes with. */
  readonly version: string;
}
