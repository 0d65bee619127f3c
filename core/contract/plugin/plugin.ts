import type { EventSource } from "./events.js";
import type { EngineHooks } from "./hook-table.js";
import type { RunControl } from "./run-control.js";

/** What a plugin is installed into: it taps hooks and hears events. */
export interface PluginHost {
  readonly hooks: EngineHooks;
  readonly events: EventSource;
  /** For plugins that watch over the process. */
  readonly control: RunControl;
  /** Emits a `warning` event. @param fqn what it is about, where that is one resource or scope */
  warn(code: string, message: string, fqn?: string): void;
  /**
   * Asks whoever sits there whether to go on, by the hook `ask`: on a terminal, unless another plugin answers. Resolves with
   * `undefined` where nobody can be asked: without a terminal, in CI, with `json`, where a program embeds the engine.
   *
   * @param question to be answered by yes or no, without the choice, e.g. `Delete these 3 resources?`
   * @param details lines that are shown before it
   */
  ask(question: string, details?: readonly string[]): Promise<boolean | undefined>;
}

/** A part of the engine: a name, and what it does to an engine when it is installed. */
export interface EnginePlugin {
  readonly name: string;
  /** Name of a plugin installed earlier whose place this one takes. */
  readonly replaces?: string;
  apply(engine: PluginHost): void;
}
