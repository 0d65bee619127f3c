/** Checks every resource against rules, and all of them against a budget. */
import { checkGiven, hasFunctions, isRecord, type RulesOf } from "../../core/base/index.js";
import type { EnginePlugin, PropsContext } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { applyRules, isRule, known, type PolicyResource, type PolicyRules } from "./rules.js";

export type {
  PolicyAction,
  PolicyCheck,
  PolicyDeleteCheck,
  PolicyDeletion,
  PolicyFindings,
  PolicyResource,
  PolicyRule,
  PolicyRuleOptions,
  PolicyRules,
} from "./rules.js";

/** Options of {@link policy}. */
export interface PolicyOptions {
  /** Rules by name. A finding is a veto, or a warning with the level `warn`. */
  readonly rules?: PolicyRules;
  /** Limit for the total cost of all declared resources, changed or unchanged. */
  readonly budget?: {
    readonly cost: (resource: PolicyResource) => number;
    readonly limit: number;
    /** For messages, e.g. `EUR a month`. */
    readonly currency?: string;
  };
}

const OPTIONS: RulesOf<PolicyOptions> = {
  rules: {
    allowed:
      'an object whose values are functions or objects { check, delete, unchanged, level: "warn" } with at least check or delete',
    accepts: (value) => isRecord(value) && Object.values(value).every(isRule),
  },
  budget: {
    allowed: "an object { cost, limit } with a function cost and a number limit",
    accepts: (value) => hasFunctions(value, "cost") && typeof Object(value).limit === "number",
  },
};

/** Vetoes resources that break a rule or exceed the budget. A plan reports all findings together. */
export function policy(options: PolicyOptions): EnginePlugin {
  checkGiven("policy", options, OPTIONS);
  const { rules = {}, budget } = options;
  const tap = { name: "policy", inPlans: true };
  return definePlugin({
    name: tap.name,
    apply({ hooks, events, control, warn }) {
      applyRules({ hooks, events, warn }, rules, tap);
      if (!budget) return;
      const costs = new Map<string, number>();
      let sum = 0;
      events.on("run:started", () => {
        costs.clear();
        sum = 0;
      });
      const count = (resource: PropsContext): void => {
        const isPlan = control.status.options?.plan === true;
        const cost = known(isPlan, () => budget.cost({ ...resource, props: Object(resource.props) })) ?? 0;
        if (isPlan && Number.isNaN(cost)) return; // A text may contain unknown values.
        if (!Number.isFinite(cost))
          throw new TypeError(
            `the cost of "${resource.fqn}" is ${cost}. The function cost must return a finite number.`,
          );
        sum += cost - (costs.get(resource.fqn) ?? 0);
        costs.set(resource.fqn, cost);
      };
      const check = (veto: (reason: string) => void): void => {
        const total = budget.currency === undefined ? sum : `${sum} ${budget.currency}`;
        if (sum > budget.limit) veto(`the program costs ${total}, but the limit is ${budget.limit}`);
      };
      // Counts unchanged resources as well. Last: other plugins may still change the props.
      hooks.props.tap({ name: tap.name, last: true }, count);
      hooks.beforeApply.tap(tap, (context) => {
        count(context);
        if (!context.planned) check(context.veto);
      });
      hooks.beforeFinalize.tap(tap, ({ errors, planned, veto }) => {
        if (planned || errors.length === 0) check(veto);
      });
    },
  });
}
