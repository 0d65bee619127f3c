/** Rules that every resource has to keep to, and a budget for all of them. */
import { checkGiven, hasFunctions, isRecord, type RulesOf } from "../../core/base/index.js";
import { type Action, definePlugin, type EnginePlugin, isEngineError, type PropsContext } from "../../core/index.js";

/** A resource; in a plan its props may hold values that nobody knows yet: see `isUnknown`. */
export type PolicyResource = Omit<PropsContext, "props"> & { readonly props: Readonly<Record<string, unknown>> };

/** Says what is wrong, each a clause such as `it has no owner`; nothing where all is well. */
export type PolicyCheck = (resource: PolicyResource & { readonly action: Action }) => string | string[] | undefined;

/** Options of {@link policy}. */
export interface PolicyOptions {
  /** By name. A check vetoes what it finds; with the level `warn` it is told, and passes. */
  readonly rules?: Readonly<Record<string, PolicyCheck | { readonly check: PolicyCheck; readonly level?: "warn" }>>;
  /** What all that is declared may cost together, changed or not. */
  readonly budget?: {
    readonly cost: (resource: PolicyResource) => number;
    readonly limit: number;
    /** For messages, e.g. `EUR a month`. */
    readonly currency?: string;
  };
}

const isRule = (rule: unknown): boolean => {
  const { check, level }: Readonly<Record<string, unknown>> = Object(rule);
  return typeof rule === "function" || (typeof check === "function" && (level === undefined || level === "warn"));
};

const OPTIONS: RulesOf<PolicyOptions> = {
  rules: {
    allowed: 'an object of functions, or of { check, level: "warn" }',
    accepts: (value) => isRecord(value) && Object.values(value).every(isRule),
  },
  budget: {
    allowed: "{ cost, limit }, a function and a number",
    accepts: (value) => hasFunctions(value, "cost") && typeof Object(value).limit === "number",
  },
};

/** Vetoes what breaks a rule, and what makes the program cost too much; a plan tells all of it together. */
export function policy(options: PolicyOptions): EnginePlugin {
  checkGiven("policy", options, OPTIONS);
  const { rules = {}, budget } = options;
  const tap = { plugin: "policy", inPlans: true };
  return definePlugin({
    name: tap.plugin,
    apply({ hooks, events, control, warn }) {
      hooks.beforeApply.tap(tap, ({ planned, veto, ...resource }) => {
        for (const [name, rule] of Object.entries(rules)) {
          const { check, level = "deny" } = typeof rule === "function" ? { check: rule } : rule;
          const found = known(planned, () => check({ ...resource, props: Object(resource.props) })) ?? [];
          for (const what of typeof found === "string" ? [found] : found) {
            if (level === "deny") veto(`${what} (rule "${name}")`);
            else warn("POLICY", `"${resource.fqn}": ${what} (rule "${name}")`, resource.fqn);
          }
        }
      });
      if (!budget) return;
      const costs = new Map<string, number>();
      let sum = 0;
      events.on("run:started", () => {
        costs.clear();
        sum = 0;
      });
      const count = (resource: PropsContext): void => {
        const isPlan = control.options?.plan === true;
        const cost = known(isPlan, () => budget.cost({ ...resource, props: Object(resource.props) })) ?? 0;
        if (isPlan && Number.isNaN(cost)) return; // A text may hold what nobody knows yet.
        if (!Number.isFinite(cost)) throw new TypeError(`the cost of "${resource.fqn}" is ${cost}`);
        sum += cost - (costs.get(resource.fqn) ?? 0);
        costs.set(resource.fqn, cost);
      };
      const check = (veto: (reason: string) => void): void => {
        const total = budget.currency === undefined ? sum : `${sum} ${budget.currency}`;
        if (sum > budget.limit) veto(`the program costs ${total}, and the limit is ${budget.limit}`);
      };
      // What is unchanged costs, too. Last: others may yet change the props.
      hooks.props.tap({ plugin: tap.plugin, last: true }, count);
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

/** In a plan, what fails at a value that nobody knows yet says nothing: the run asks again. */
function known<T>(isPlan: boolean, ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (isPlan && isEngineError(error, "UNKNOWN_VALUE")) return undefined;
    throw error;
  }
}
