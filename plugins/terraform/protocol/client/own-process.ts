import type { LogLevel } from "../process/index.js";

/** The process that a client is the only one to ask. */
export interface OwnProcess {
  readonly hasEnded: boolean;
  /** Adds a line to its log. */
  note(level: LogLevel, text: string): void;
  end(): Promise<void>;
}
