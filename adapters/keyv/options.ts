import { checkGiven, text } from "../../core/base/index.js";

/** How the store in Keyv calls its keys, and itself. */
export interface KeyvStoreOptions {
  /**
   * What Keyv puts in front of the keys, for an adapter or a `Map`; a Keyv has its own. Whatever else is kept in the
   * same place needs another one. Default: `"scope-engine"`.
   */
  readonly namespace?: string;
  /** Where the state is, for messages; without credentials. Default: the name of the adapter's class. */
  readonly location?: string;
}

/** @throws EngineError `INVALID_OPTION` */
export function checkKeyvOptions(user: string, options: KeyvStoreOptions): void {
  checkGiven(user, options, { namespace: text, location: text });
}
