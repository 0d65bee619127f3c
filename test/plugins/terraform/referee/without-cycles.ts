/** OpenTofu without the groups that it refuses because of a cycle: they keep their configuration from then on. */
import type { Comparison } from "./compared.ts";
import type { Step } from "./configuration.ts";
import { groupOf, withheld } from "./groups.ts";
import { explained } from "./rules.ts";
import type { Outcome, Side } from "./side.ts";
import { cycleIn } from "./situation.ts";

export function withoutCycles(side: Side, comparison: Comparison): Side {
  const refused = new Set<string>();
  let last: Step | undefined;
  const step = async (whole: Step): Promise<Outcome> => {
    const accepted = withheld(whole, last, refused);
    const outcome = await side.step(accepted);
    const nothing = { theirs: undefined, ours: undefined, failure: undefined, theirPlan: [], theirRun: [], ourRun: [] };
    const situation = { step: whole, before: last, key: "", ...nothing };
    const rule =
      outcome.refused === undefined ? undefined : explained("refused", situation, outcome.refused, undefined);
    const groups = [...new Set(cycleIn(outcome.refused).map(groupOf))].filter((group) => !refused.has(group));
    if (rule && groups.length > 0) {
      for (const group of groups) {
        refused.add(group);
        comparison.use(rule, group);
      }
      return await step(whole);
    }
    last = accepted;
    return outcome;
  };
  return { world: side.world, step };
}
