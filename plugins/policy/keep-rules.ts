/** Asks rules in time: before something is made or changed, and before anything is deleted. */
import type { PluginHost, PropsContext, Vetoing } from "../../core/contract/index.js";
import {
  deleteFindings,
  type Finding,
  findings,
  type PolicyAction,
  type PolicyDeletion,
  type PolicyRules,
} from "./rules.js";

type Parts = Pick<PluginHost, "hooks" | "events" | "warn">;

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
        const all = findings(rules, { ...resource, props: Object(resource.props), action: "skip" }, planned);
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
