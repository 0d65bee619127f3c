/** Asks plugins before something is done that they may refuse. */
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
 * @param deletes what goes before
 * @throws EngineError `VETOED`. A plan notes that instead, and goes on: all that is vetoed is to stand in it.
 */
export function askBeforeApply(app: App, context: ApplyContext, deletes: readonly ResourceRef[]): Promise<void> {
  const { fqn, action } = context;
  const deleteFirst = deletes.length > 0;
  return ask(app, { ...context, refusal: `"${fqn}" may not be ${DONE[action]}` }, (vetoing) =>
    app.calls.beforeApply.call({ ...context, deleteFirst, deletes, ...vetoing }),
  );
}

/** As {@link askBeforeApply}. */
export function askBeforeDelete(app: App, context: DeletionContext): Promise<void> {
  return ask(app, { ...context, refusal: `"${context.fqn}" may not be deleted` }, (vetoing) =>
    app.calls.beforeDelete.call({ ...context, ...vetoing }),
  );
}

/** As {@link askBeforeApply}. */
export function askBeforePrune(app: App, scope: Scope, asked: (vetoing: Vetoing) => PruneContext): Promise<void> {
  const fqn = scope.chain.join("/");
  return ask(app, { fqn, scope, refusal: `Nothing of "${fqn}" may be pruned` }, (vetoing) =>
    app.calls.beforePrune.call(asked(vetoing)),
  );
}

/** As {@link askBeforeApply}. @param items what is to go */
export async function askBeforeDestroy(app: App, scope: Scope, items: readonly ResourceRef[]): Promise<void> {
  if (!app.calls.beforeDestroy.used || items.length === 0) return;
  const fqn = scope.chain.join("/");
  await ask(app, { fqn, scope, refusal: `Nothing of "${fqn}" may be destroyed` }, (vetoing) =>
    app.calls.beforeDestroy.call({ scope, items, ...vetoing }),
  );
}

/** As {@link askBeforeApply}; a plan has it among its errors in any case. */
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
 * Calls a hook after a resource was changed, or after its handler has failed. A hook that rejects fails the run, and not the resource.
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
 * Lets plugins end what they keep for a scope besides its resources. A plan ends nothing, and of what `target` and `exclude` leave out it
 * is not known whether it is wanted.
 */
export async function callScopeHook(app: App, hook: "scopePruned" | "scopeDestroyed", scope: Scope): Promise<void> {
  if (app.options.plan || app.run.bounds.selection || !app.calls[hook].used) return;
  await app.calls[hook].call({ scope });
}
