/** Asks plugins before an action that they may refuse. */
import { DONE, type ResourceRef } from "../base/index.js";
import {
  type ApplyContext,
  type DeletionContext,
  type FinalizeContext,
  INTERNALS,
  type PruneContext,
  type Scope,
  type Vetoing,
} from "../contract/index.js";
import { askForVetoes } from "../plugin/index.js";
import type { App } from "./app.js";

/**
 * @param deletes resources that are deleted before it
 * @throws EngineError `VETOED`. A plan notes that instead and continues, so that it lists all vetoes.
 */
export function askBeforeApply(app: App, context: ApplyContext, deletes: readonly ResourceRef[]): Promise<void> {
  const { fqn, action } = context;
  const deleteFirst = deletes.length > 0;
  return ask(app, { ...context, refusal: `"${fqn}" may not be ${DONE[action]}` }, (vetoing) =>
    app.calls.beforeApply.call({ ...context, deleteFirst, deletes, ...vetoing }),
  );
}

/** Asks like {@link askBeforeApply}. */
export function askBeforeDelete(app: App, context: DeletionContext): Promise<void> {
  return ask(app, { ...context, refusal: `"${context.fqn}" may not be deleted` }, (vetoing) =>
    app.calls.beforeDelete.call({ ...context, ...vetoing }),
  );
}

/** Asks like {@link askBeforeApply}. */
export function askBeforePrune(app: App, scope: Scope, asked: (vetoing: Vetoing) => PruneContext): Promise<void> {
  const fqn = scope.chain.join("/");
  return ask(app, { fqn, scope, refusal: `Nothing in "${fqn}" may be pruned` }, (vetoing) =>
    app.calls.beforePrune.call(asked(vetoing)),
  );
}

/** Asks like {@link askBeforeApply}. @param items resources to delete */
export async function askBeforeDestroy(app: App, scope: Scope, items: readonly ResourceRef[]): Promise<void> {
  if (!app.calls.beforeDestroy.used || items.length === 0) return;
  const fqn = scope.chain.join("/");
  await ask(app, { fqn, scope, refusal: `Nothing in "${fqn}" may be destroyed` }, (vetoing) =>
    app.calls.beforeDestroy.call({ scope, items, ...vetoing }),
  );
}

/** Asks like {@link askBeforeApply}; a plan always lists it among its errors. */
export async function askBeforeFinalize(app: App, context: FinalizeContext): Promise<void> {
  const fqn = context.scope.chain.join("/");
  await ask(app, { ...context, fqn, refusal: `"${fqn}" may not be finalized` }, (vetoing) =>
    app.calls.beforeFinalize.call({ ...context, ...vetoing }),
  );
}

interface About {
  readonly fqn: string;
  readonly scope: Scope;
  readonly refusal: string;
}

async function ask(app: App, { fqn, scope, refusal }: About, call: (vetoing: Vetoing) => Promise<void>): Promise<void> {
  const { run } = app;
  const { performer } = run;
  const { path } = scope[INTERNALS];
  try {
    const late = (error: unknown): void => void run.fail(path, error);
    await askForVetoes({ refusal, fqn, planned: app.options.plan, late }, call);
  } catch (error) {
    performer.refuse([error], path);
  }
}

/**
 * Calls a hook after a resource was changed, or after its handler failed. A hook that rejects fails the run, not the
 * resource.
 */
export async function callAfterwards(
  { app, scope }: { readonly app: App; readonly scope: Scope },
  call: () => Promise<void>,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    app.run.fail(scope[INTERNALS].path, error);
  }
}

/**
 * Lets plugins end what they keep for a scope besides its resources. A plan ends nothing. For resources that `target`
 * and `exclude` leave out, it is unknown if they are still wanted.
 */
export async function callScopeHook(app: App, hook: "scopePruned" | "scopeDestroyed", scope: Scope): Promise<void> {
  if (app.options.plan || app.run.bounds.selection || !app.calls[hook].used) return;
  await app.calls[hook].call({ scope });
}
