/** A run that keeps to a saved plan: what that does not hold is refused before it is done. */

import { asDeclared } from "../../core/apply/index.js";
import { INTERNALS } from "../../core/contract/index.js";
import { decodeProps } from "../../core/handler/index.js";
import type { Execution, Performer } from "../../core/run/index.js";
import { forecast } from "./forecast.js";
import type { PlanGuard } from "./plan-guard.js";

/** @param performer does what is permitted */
export function guarded(performer: Performer, guard: PlanGuard): Performer {
  return {
    // The performer of a run is a plain object: all that is not overridden is its own.
    ...performer,
    execute: (execution) => {
      const refuse = async (): Promise<void> => {
        await execution.refuse?.();
        await permit(execution, guard);
      };
      return performer.execute({ ...execution, refuse });
    },
    delete: async (request, admission) => {
      guard.permitDelete(request.record, request.reason, request.isRetained === true);
      await performer.delete(request, admission);
    },
    firstOf: (old) => guard.firstOf(old),
    undone: () => guard.undone(),
    rename: (ref, before, isPart) => guard.permitRename(ref, before, isPart),
  };
}

async function permit(execution: Execution, guard: PlanGuard): Promise<void> {
  const { app, key, ref, scope, uid } = execution.task;
  const before = execution.old ?? app.ledger.contents.at(key);
  // As the plan names it: an update that will ask to be replaced is a replace there.
  const { action } = await forecast(execution, before);
  if (action === "skip") return;
  const { encoded } = action === "replace" && before ? asDeclared(execution.task, before) : execution.task;
  const props = await decodeProps(execution.task, uid, encoded);
  guard.permit({ ...ref, action, props, isPart: scope[INTERNALS].resource !== undefined });
}
