/** Applies policy rules to resources. */
import { isEngineError, type ResourceRef } from "../../core/base/index.js";
import type { PluginHost, PropsContext, Vetoing } from "../../core/contract/index.js";

/** A resource. In a plan its props may contain unknown values: see `isUnknown`. */
export type PolicyResource = Omit<PropsContext, "props"> & { readonly props: Readonly<Record<string, unknown>> };

/** The actions that every rule checks. */
export type PolicyAction = "create" | "update" | "replace" | "adopt";

/** The findings of a rule, each a clause such as `it has no owner`; undefined if there are none. */
export type PolicyFindings = string | readonly string[] | undefined;

/** Checks a resource before it is created or changed. */
export type PolicyCheck<A extends string = PolicyAction> = (
  resource: PolicyResource & { readonly action: A },
) => PolicyFindings;

/** A resource that is about to be deleted. */
export interface PolicyDeletion extends ResourceRef {
  /**
   * `orphan`: the program no longer declares it. `destroy`: it is destroyed on request. `replaced`: another resource
   * cannot be replaced before this one is deleted.
   */
  readonly reason: "orphan" | "destroy" | "replaced";
}

/** Checks a delete before anything is deleted. */
export type PolicyDeleteCheck = (resource: PolicyDeletion) => PolicyFindings;

/** Options of every {@link PolicyRule}. */
export interface PolicyRuleOptions {
  /** `warn`: the findings are warnings (`POLICY`). Default: they are vetoes. */
  readonly level?: "warn";
}

/** A rule with options. It needs at least one check. */
export type PolicyRule = PolicyRuleOptions &
  (
    | { readonly check: PolicyCheck; readonly unchanged?: false; readonly delete?: PolicyDeleteCheck }
    // With `unchanged`, the check also gets unchanged resources, with the action `unchanged`.
    | {
        readonly check: PolicyCheck<PolicyAction | "unchanged">;
        readonly unchanged: true;
        readonly delete?: PolicyDeleteCheck;
      }
    | { readonly check?: undefined; readonly unchanged?: false; readonly delete: PolicyDeleteCheck }
  );

/** Rules by name. A function checks each create, update, replace and adoption. */
export type PolicyRules = Readonly<Record<string, PolicyCheck | PolicyRule>>;

/** Validates a rule in the options. */
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

/** Returns the findings about a resource that is created, changed or unchanged. */
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

/** Returns the findings about a delete. */
function deleteFindings(rules: PolicyRules, resource: PolicyDeletion): readonly Finding[] {
  return Object.entries(rules).flatMap(([name, rule]) =>
    typeof rule === "function" ? [] : found(name, rule, rule.delete?.(resource)),
  );
}

function found(rule: string, { level }: PolicyRuleOptions, findings: PolicyFindings): readonly Finding[] {
  const all = typeof findings === "string" ? [findings] : (findings ?? []);
  return all.map((what) => ({ rule, isWarning: level === "warn", what: `${what} (rule "${rule}")` }));
}

/** Ignores a check that fails in a plan because of an unknown value: the run checks again. */
export function known<T>(isPlan: boolean, ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (isPlan && isEngineError(error, "UNKNOWN_VALUE")) return undefined;
    throw error;
  }
}

type Parts = Pick<PluginHost, "hooks" | "events" | "warn">;

/** Applies the rules before each create or change, and before any delete. */
export function applyRules(
  { hooks, events, warn }: Parts,
  rules: PolicyRules,
  tap: { readonly name: string; readonly inPlans: boolean },
): void {
  /** Declared resources that were not checked so far. At the end these are unchanged. */
  const declared = new Map<string, PropsContext>();
  /** FQNs of the deletes that were checked. */
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
    // Last: other plugins may still change the props.
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
    // The delete of the old copy is part of the replace, which was checked.
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
  // Children of deleted resources, which no list of deletes contains.
  hooks.beforeDelete.tap(tap, (context) => {
    const { kind, id, fqn, reason } = context;
    if (reason !== "replaced") askAboutDeletes([{ kind, id, fqn, reason }], context);
  });
}

function isAsked(action: string): action is PolicyAction {
  return ["create", "update", "replace", "adopt"].includes(action);
}
