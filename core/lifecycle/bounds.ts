/** How far a run may go: which resources it may touch, and how many it may delete. */
import type { App } from "../app.js";
import { DeleteLimit } from "./delete-limit.js";
import { Selection } from "./selection.js";

export interface Bounds {
  readonly selection: Selection | undefined;
  readonly deletes: DeleteLimit | undefined;
}

export const UNBOUNDED: Bounds = { selection: undefined, deletes: undefined };

/** Once the state is loaded, and before anything is done. */
export function boundsOf(app: App): Bounds {
  return { selection: Selection.of(app), deletes: DeleteLimit.of(app) };
}
