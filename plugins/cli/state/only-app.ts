/** A command that runs an app of its own. */
import { setHost } from "../../../core/host.js";
import { INTERNALS } from "../../../core/scope/internals.js";
import type { StateStore } from "../../../core/state/store.js";

/** From now on no app may be opened but those in this store: the program has told where its state is, and is to do no more. */
export function asOnlyApp(store: StateStore): void {
  setHost({
    opening: (root) => (root[INTERNALS].options.stateStore === store ? Promise.resolve() : new Promise(() => {})),
  });
}
