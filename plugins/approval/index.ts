/** A gate before deletes: a person has to approve them. */

import {
  callback,
  checkGiven,
  either,
  flag,
  isListOf,
  type ResourceRef,
  type RulesOf,
  texts,
} from "../../core/base/index.js";
import type { EnginePlugin, Vetoing } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";

/** The reason of a delete: the program no longer declares it, a new copy replaces it, or a destroy was requested. */
export type ApprovalReason = "orphan" | "replaced" | "destroy";

/** A resource, or an old copy of one, that would be deleted. */
export interface ApprovalItem extends ResourceRef {
  readonly reason: ApprovalReason;
}

/** Options of {@link approval}. */
export interface ApprovalOptions {
  /** The resources that need an approval: kinds, e.g. `["db:Database"]`, or a test. Default: all. */
  readonly needed?: readonly string[] | ((item: ApprovalItem) => boolean);
  /** The reasons that need an approval. Default: all three. */
  readonly reasons?: readonly ApprovalReason[];
  /** True if the deletes were approved elsewhere, e.g. in CI. Else the plugin asks on the terminal. Default: false. */
  readonly approved?: boolean | ((items: readonly ApprovalItem[]) => boolean | Promise<boolean>);
}

const REASONS: readonly unknown[] = ["orphan", "replaced", "destroy"] satisfies readonly ApprovalReason[];

const OPTIONS: RulesOf<ApprovalOptions> = {
  needed: either(texts, callback),
  reasons: {
    allowed: 'a list with any of "orphan", "replaced" and "destroy"',
    accepts: (value) => isListOf(value, (reason) => REASONS.includes(reason)),
  },
  approved: either(flag, callback),
};

/** Maximum number of listed deletes. */
const MOST = 50;

/**
 * Asks once for all deletes of a prune or a destroy, and for each replace that deletes the old copy first. Vetoes them
 * if the answer is no, or if there is no terminal to ask on. Plans do not ask.
 *
 * @example
 * ```ts
 * const gate = approval({ needed: ["db:Database"], approved: () => process.env.APPROVED === "yes" });
 * ```
 */
export function approval(options: ApprovalOptions = {}): EnginePlugin {
  checkGiven("approval", options, OPTIONS);
  const { needed = () => true, reasons = ["orphan", "replaced", "destroy"], approved = false } = options;
  const isNeeded = typeof needed === "function" ? needed : ({ kind }: ApprovalItem) => needed.includes(kind);
  // Last: resources that other plugins keep or refuse need no approval.
  const tap = { name: "approval", last: true };
  return definePlugin({
    name: tap.name,
    apply({ hooks, ask }) {
      const pass = async (all: readonly ApprovalItem[], { veto, isVetoed }: Vetoing): Promise<void> => {
        const items = all.filter((item) => reasons.includes(item.reason) && isNeeded(item));
        if (items.length === 0 || isVetoed()) return;
        if (typeof approved === "function" ? await approved(items) : approved) return;
        const lines = items.slice(0, MOST).map(({ fqn, kind, reason }) => `delete   ${fqn}  (${kind}, ${reason})`);
        if (items.length > MOST) lines.push(`and ${items.length - MOST} more`);
        const what = items.length === 1 ? "this resource" : `these ${items.length} resources`;
        const answer = await ask(`Delete ${what}?`, lines, items);
        if (answer === false) veto("you did not approve it");
        if (answer === undefined)
          veto(
            "there is no terminal to approve it on. Run the program on a terminal, answer on the page of `engine up --ui --allow-changes`, or pass the option `approved`",
          );
      };
      const because = (reason: ApprovalReason) => (item: ResourceRef) => ({ ...item, reason });
      hooks.beforePrune.tapPromise(tap, (context) => pass(context.remaining, context));
      hooks.beforeDestroy.tapPromise(tap, (context) => pass(context.items.map(because("destroy")), context));
      hooks.beforeApply.tapPromise(tap, (context) => pass(context.deletes.map(because("replaced")), context));
    },
  });
}
