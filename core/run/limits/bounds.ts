/** How far a run may go: which resources it may touch, and how many it may delete. */

import { Selection } from "../../select/index.js";
import { DeleteLimit } from "./delete-limit.js";
import type { Protecting } from "./protection.js";

export interface Bounds {
  readonly selection: Selection | undefined;
  readonly deletes: DeleteLimit | undefined;
}

export const UNBOUNDED: Bounds = { selection: undefined, deletes: undefined };

/** Once the state is loaded, and before anything is done. */
export function boundsOf(app: Protecting): Bounds {
  return { selection: Selection.of(app), deletes: DeleteLimit.of(app) };
}
