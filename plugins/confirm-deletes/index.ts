/** Asks before a run deletes more than the option `maxDeletes` allows. */
import { EngineError } from "../../core/base/index.js";
import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";

/** Maximum number of listed deletes. */
const MOST = 50;

/**
 * Lists the deletes of a finalize if they exceed `maxDeletes`, and allows them if you confirm. If there is no terminal
 * to ask on, the limit holds.
 */
export function confirmDeletes(): EnginePlugin {
  return definePlugin({
    name: "confirm-deletes",
    apply({ hooks, ask }) {
      // Last: items that other plugins keep need no confirmation.
      hooks.beforePrune.tapPromise({ name: "confirm-deletes", last: true }, async (context) => {
        const { counted, limit = Number.POSITIVE_INFINITY } = context;
        if (counted.length <= limit || context.isVetoed()) return;
        const listed = counted.slice(0, MOST).map(({ fqn, kind }) => `delete   ${fqn}  (${kind})`);
        const more = counted.length > MOST ? [`and ${counted.length - MOST} more`] : [];
        const what = counted.length === 1 ? "this resource" : `these ${counted.length} resources`;
        const answer = await ask(`Delete ${what}?`, [...listed, ...more], counted);
        if (answer) return context.confirm();
        if (answer === undefined) return;
        // Deletes before a replacement may be done already, so the limit is the rest of `maxDeletes`.
        const refused = counted.length === 1 ? "The delete was" : `The ${counted.length} deletes were`;
        throw new EngineError(
          "TOO_MANY_DELETES",
          `${refused} not carried out: maxDeletes allows ${limit} more, and you did not confirm a higher number.`,
        );
      });
    },
  });
}
