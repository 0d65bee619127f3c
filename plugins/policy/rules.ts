/** Rules that resources have to keep to. */
import { isEngineError, type ResourceRef } from "../../core/base/index.js";
import type { PluginHost, PropsContext, Vetoing } from "../../core/contract/index.js";

/** A resource; in a plan its props may hold values that nobody knows yet: see `isUnknown`. */
export type PolicyResource = Omit<PropsContext, "props"> & { readonly props: Readonly<Record<string, unknown>> };

/** The actions that every rule is asked about. */
export type PolicyAction = "create" | "update" | "replace" | "adopt";

/** What a rule finds wrong, each a clause such as `it has no owner`; nothing if all is well. */
export type PolicyFindings = string | readonly string[] | undefined;

/** Checks a resource that is about to be made or changed. */
export type PolicyCheck<A extends string = PolicyAction> = (
  resource: PolicyResource & { readonly action: A },
) => PolicyFindings;

/** A resource that is about to be deleted. */
export interface PolicyDeletion extends ResourceRef {
  /**
   * `orphan`: the program no longer declares it. `destroy`: it is destroyed on request. `replaced`: it stands in the way of the replacement
   * of another resource.
   */
  readonly reason: "orphan" | "destroy" | "replaced";
}

/** Checks a delete before anything is deleted. */
export type PolicyDeleteCheck = (resource: PolicyDeletion) => PolicyFindings;

/** What every {@link PolicyRule} may say. */
export interface PolicyRuleOptions {
  /** `warn`: the findings are warnings (`POLICY`). Default: they are vetoes. */
  readonly level?: "warn";
}

/** A rule with more than a check. One that has no check at all could never fire. */
export type PolicyRule = PolicyRuleOptions &
  (
    | { readonly check: PolicyCheck; readonly unchanged?: false; readonly delete?: PolicyDeleteCheck }
    // With `unchanged`, the check is also asked about what stays as it is, with the action `unchanged`.
    | {
        readonly check: PolicyCheck<PolicyAction | "unchanged">;
        readonly unchanged: true;
        readonly delete?: PolicyDeleteCheck;
      }
    | { readonly check?: undefined; readonly unchanged?: false; readonly delete: PolicyDeleteCheck }
  );

/** By name. A function is asked about each create, update, replace and adoption. */
export type PolicyRules = Readonly<Record<string, PolicyCheck | PolicyRule>>;

/** For the check of options. */
export function isRule(rule: unknown): boolean {
  if (typeof rule === "function") return true;
  const { check, delete: checkDelete, level, unchanged = false }: Readonly<Record<string, unknown>> = Object(rule);
  const isFunction = (one: unknown): boolean => typeof one === "function";
  return (
    (isFunction(check) || isFunction(checkDelete)) &&
    [check, checkDelete].every((one) => one === undefined || isFunction(one)) &&
    (level === undefined || level === "warn") &&
    (unchanged === false || (unchanged === true && isFunction(check)))
  );
}

export interface Finding {
  readonly rule: string;
  readonly isWarning: boolean;
  readonly what: string;
}

/** What the rules find wrong with something that is made, changed, or, with the action `unchanged`, unchanged. */
function findings(
  rules: PolicyRules,
  resource: PolicyResource & { readonly action: PolicyAction | "unchanged" },
  isPlan: boolean,
): readonly Finding[] {
  return Object.entries(rules).flatMap(([name, given]) => {
    const rule: PolicyRule = typeof given === "function" ? { check: given } : given;
    const { action } = resource;
    const ask = (): PolicyFindings => {
      if (rule.unchanged) return rule.check(resource);
      return action === "unchanged" ? undefined : rule.check?.({ ...resource, action });
    };
    return found(name, rule, known(isPlan, ask));
  });
}

/** What the rules find wrong with a delete. */
function deleteFindings(rules: PolicyRules, resource: PolicyDeletion): readonly Finding[] {
  return Object.entries(rules).flatMap(([name, rule]) =>
    typeof rule === "function" ? [] : found(name, rule, rule.delete?.(resource)),
  );
}

function found(rule: string, { level }: PolicyRuleOptions, findings: PolicyFindings): readonly Finding[] {
  const all = typeof findings === "string" ? [findings] : (findings ?? []);
  return all.map((what) => ({ rule, isWarning: level === "warn", what: `${what} (rule "${rule}")` }));
}

/** In a plan, what fails at a value that nobody knows yet says nothing: the run asks again. */
export function known<T>(isPlan: boolean, ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (isPlan && isEngineError(error, "UNKNOWN_VALUE")) return undefined;
    throw error;
  }
}

type Parts = Pick<PluginHost, "hooks" | "events" | "warn">;

/** Asks rules in time: before something is made or changed, and before anything is deleted. */
export function keepRules(
  { hooks, events, warn }: Parts,
  rules: PolicyRules,
  tap: { readonly name: string; readonly inPlans: boolean },
): void {
  /** Declared, and not asked about so far. At the end these are unchanged. */
  const declared = new Map<string, PropsContext>();
  /** Deletes that were asked about, by FQN. */
  const deletes = new Set<string>();
  events.on("run:started", () => {
    declared.clear();
    deletes.clear();
  });
  const tell = (fqn: string, all: readonly Finding[], veto: (what: string) => void): void => {
    for (const { what, isWarning } of all) {
      if (isWarning) warn("POLICY", `"${fqn}": ${what}`, fqn);
      else veto(what);
    }
  };
  const askAboutDeletes = (asked: readonly PolicyDeletion[], { veto }: Vetoing): void => {
    for (const one of asked) {
      if (deletes.has(one.fqn)) continue;
      deletes.add(one.fqn);
      tell(one.fqn, deleteFindings(rules, one), (what) => veto(`"${one.fqn}": ${what}`));
    }
  };

  if (Object.values(rules).some((rule) => typeof rule !== "function" && rule.unchanged === true)) {
    // Last: others may yet change the props.
    hooks.props.tap({ name: tap.name, last: true }, (resource) => void declared.set(resource.fqn, { ...resource }));
    hooks.beforeFinalize.tap(tap, ({ scope, errors, planned, veto }) => {
      if (scope !== scope.root || (errors.length > 0 && !planned)) return;
      for (const [fqn, resource] of declared) {
        const all = findings(rules, { ...resource, props: Object(resource.props), action: "unchanged" }, planned);
        tell(fqn, all, (what) => veto(`"${fqn}": ${what}`));
      }
      declared.clear();
    });
  }
  hooks.beforeApply.tap(tap, (context) => {
    const { planned, veto, deletes: first, ...resource } = context;
    declared.delete(resource.fqn);
    const { action } = resource;
    if (isAsked(action))
      tell(resource.fqn, findings(rules, { ...resource, props: Object(resource.props), action }, planned), veto);
    // The old copy itself goes by the replace, which was asked about.
    const others = first.filter(({ fqn }) => fqn !== resource.fqn);
    askAboutDeletes(
      others.map(({ kind, id, fqn }) => ({ kind, id, fqn, reason: "replaced" })),
      context,
    );
  });
  if (!Object.values(rules).some((rule) => typeof rule !== "function" && rule.delete !== undefined)) return;
  hooks.beforePrune.tap(tap, (context) => {
    askAboutDeletes(
      context.remaining.filter(({ reason }) => reason === "orphan"),
      context,
    );
  });
  hooks.beforeDestroy.tap(tap, (context) => {
    askAboutDeletes(
      context.items.map((item) => ({ ...item, reason: "destroy" })),
      context,
    );
  });
  // Parts of what goes, which no list of deletes names.
  hooks.beforeDelete.tap(tap, (context) => {
    const { kind, id, fqn, reason } = context;
    if (reason !== "replaced") askAboutDeletes([{ kind, id, fqn, reason }], context);
  });
}

function isAsked(action: string): action is PolicyAction {
  return ["create", "update", "replace", "adopt"].includes(action);
}
