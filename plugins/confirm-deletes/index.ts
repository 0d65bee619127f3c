/** Asks whether more may be deleted than the option `maxDeletes` allows. */
import { EngineError } from "../../core/base/index.js";
import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";

/** So many are listed. */
const MOST = 50;

/**
 * Lists what a finalize would delete beyond `maxDeletes`, and lets it go if whoever can be asked says yes. Where nobody can
 * be asked, the limit stands.
 */
export function confirmDeletes(): EnginePlugin {
  return definePlugin({
    name: "confirm-deletes",
    apply({ hooks, ask }) {
      // Last: other plugins may keep items, of which nobody is to be asked.
      hooks.beforePrune.tapPromise({ name: "confirm-deletes", last: true }, async (context) => {
        const { counted, limit = Number.POSITIVE_INFINITY } = context;
        if (counted.length <= limit || context.isVetoed()) return;
        const listed = counted.slice(0, MOST).map(({ fqn, kind }) => `delete   ${fqn}  (${kind})`);
        const more = counted.length > MOST ? [`and ${counted.length - MOST} more`] : [];
        const what = counted.length === 1 ? "this resource" : `these ${counted.length} resources`;
        const answer = await ask(`Delete ${what}?`, [...listed, ...more]);
        if (answer) return context.confirm();
        if (answer === undefined) return;
        throw new EngineError(
          "TOO_MANY_DELETES",
          `Nothing was deleted: maxDeletes allows ${limit}, and you did not confirm ${counted.length} deletes.`,
        );
      });
    },
  });
}
