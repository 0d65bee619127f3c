/** What the hooks `exec` and `spawn` are given, and what they answer with. */

import type { CommandLine, ExecOptions, SpawnOptions } from "../processes.js";
import type { Scope } from "../scope.js";

/** One call of {@link Scope.exec}, as the program made it: nothing but its id is checked yet. */
export interface ExecContext {
  readonly scope: Scope;
  readonly id: string;
  readonly fqn: string;
  readonly command: CommandLine;
  readonly options: ExecOptions;
}

/** One call of {@link Scope.spawn}, as the program made it: nothing but its id is checked yet. */
export interface SpawnContext {
  readonly scope: Scope;
  readonly id: string;
  readonly fqn: string;
  readonly options: SpawnOptions;
}

/** How one call of {@link Scope.exec} or {@link Scope.spawn} is done. What its functions throw, the program gets as it is. */
export interface ProcessCall<T> {
  /** Called at once, in every phase and in plans; throws where the call itself is wrong. */
  check(): void;
  /** Called once the run may change something, and not at all in a run that may not. The run does not end before it settles. */
  begin(): Promise<T>;
}
