/** Describes what a run waits for that can never come, and refuses calls that would wait for it. */

import { EngineError } from "../base/index.js";
import { fqnIn, type PendingResource } from "../contract/index.js";
import type { App } from "../run/index.js";
import { emitFailure } from "./failure.js";

/** The most waits that are named. */
const MOST = 20;

/** For a run in whose process nothing can happen any more. */
export function describeDeadlock(app: App): string {
  const { generation, root, runs } = app;
  const { deferred, waits } = generation;
  const unsettled = waits.unsettled(() => true);
  const behind = new Set(unsettled.filter((pending) => waits.isDeferred(pending)));
  const ahead = unsettled.filter((pending) => !behind.has(pending));
  const awaited = [
    ...ahead.map(
      (one) => `"${one.fqn}", which ${waits.hasInputs(one) ? "waits for a promise in its props" : "is at work"}`,
    ),
    ...[...generation.deleting.keys()].map((uid) => `the delete of "${fqnOf(app, uid)}"`),
    ...runs.names.map((name) => `the run of "${name}"`),
    ...deferred.running.map((path) => `a deferred function of "${path === "" ? nameOf(app) : fqnIn(root, path)}"`),
    ...[...behind].map(({ fqn }) => `"${fqn}", which waits for a deferred function`),
  ];
  if (awaited.length === 0) awaited.push("a hook or the state store");
  const lines = [
    `The run of "${nameOf(app)}" cannot go on: nothing is left in the process that could happen, and it waits for`,
    ...awaited.slice(0, MOST).map((one) => `  - ${one}`),
  ];
  if (awaited.length > MOST) lines.push(`  - and ${awaited.length - MOST} more`);
  if (deferred.size > 0) {
    lines.push(
      `Deferred functions run at finalize(), after all that: ${deferred.size} left. What cannot settle before one has run must not await it: pass the very promise that defer() gave in the props of a resource, or await it after finalize().`,
    );
  }
  return lines.join("\n");
}

/** @throws EngineError `INVALID_CALL` where one of the resources waits for a function that has not run */
export function refuseWaiting(app: App, pending: readonly PendingResource<unknown>[], what: string): void {
  const first = pending.find((one) => app.generation.waits.isDeferred(one));
  if (!first) return;
  throw new EngineError(
    "INVALID_CALL",
    `${what} too early: "${first.fqn}" waits for a deferred function, which runs when the scope that deferred it is finalized. Finalize that one first.`,
    { fqn: first.fqn },
  );
}

/** The run ends, and no deferred function will run: what waits for one has failed. */
export function failUnapplied(app: App): void {
  for (const pending of app.generation.waits.unsettled(() => true)) {
    if (!app.generation.waits.isDeferred(pending)) continue;
    const { kind, id, fqn, scope } = pending;
    const message = `"${fqn}" was not applied: it waits for a deferred function, and these run at finalize(). Await finalize() first.`;
    emitFailure({ app, scope, ref: { kind, id, fqn }, action: "create" }, new EngineError("ABORTED", message, { fqn }));
  }
}

function fqnOf({ ledger, root }: App, uid: string): string {
  return fqnIn(root, ledger.contents.records.get(uid)?.key ?? uid);
}

function nameOf({ root }: App): string {
  return root.chain.join("/");
}
