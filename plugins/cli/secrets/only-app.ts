/** A command that runs an app of its own. */

import { INTERNALS, type StateStore } from "../../../core/contract/index.js";
import { setHost } from "../../../core/plugin/index.js";

/** From now on no app may be opened but those in this store: the program has told where its state is, and is to do no more. */
export function asOnlyApp(store: StateStore): void {
  setHost({
    opening: (root) => (root[INTERNALS].options.stateStore === store ? Promise.resolve() : new Promise(() => {})),
  });
}
