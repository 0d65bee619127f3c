/** Intent, act, result: the one way in which a create, an update or a replace happens. */
import type { ApplyContext } from "../hook-contexts.js";
import type { Change } from "../state/change.js";
import type { Encoded, ResourceRecord } from "../state/record.js";
import type { Action } from "../vocabulary.js";
import { callHandler, type HandlerEnd } from "./call.js";
import { handlerFailed } from "./failure.js";
import { decoded, goodProps, type Task } from "./task.js";

export interface Attempt {
  readonly task: Task;
  readonly action: "create" | "update" | "replace";
  readonly phase: "create" | "update";
  /** The record that the intent leaves. */
  readonly record: ResourceRecord;
  readonly intent: readonly Change[];
  /** Undoes the intent where the handler never started. */
  readonly revert: readonly Change[];
  readonly recovering: boolean;
  /** Set where the output is not the recorded one, but what `read` found. */
  readonly found?: { readonly output: unknown };
}

const FINISHED = { create: "resource:created", update: "resource:updated", replace: "resource:replaced" } as const;
const COUNTED = { create: "created", update: "updated", replace: "replaced" } as const;

/**
 * Records the intent, and once it is durable runs the handler; records the result and gives the output, or hands on
 * how the handler asked to end.
 */
export async function attempt(input: Attempt): Promise<HandlerEnd> {
  const { task, action, record } = input;
  const { app, ref } = task;
  const started = performance.now();
  const { calls } = app;
  if (calls.beforeApply.used) await calls.beforeApply.call(applyContext(input));
  app.events.emit("resource:started", { ...ref, action });
  await app.ledger.commit(input.intent, "now");
  if (app.signal.aborted) {
    app.record(input.revert);
    app.throwIfInterrupted();
  }
  try {
    const end = await act(input);
    if (end.signal) return end;
    const output = app.codec.encode(end.output);
    await succeed(input, output);
    if (calls.afterApply.used) await calls.afterApply.call({ ...applyContext(input), output: end.output });
    app.generation.count(COUNTED[action]);
    app.events.emit(FINISHED[action], { ...ref, duration: performance.now() - started });
    return end;
  } catch (error) {
    throw await fail(task, action, record, error, applyContext(input));
  }
}

function act({ task, phase, record, recovering, found }: Attempt): Promise<HandlerEnd> {
  const { app, scope, definition, ref, props, changes, options } = task;
  const previous = phase === "update" ? decoded(app, goodProps(record)) : undefined;
  const output = found ? found.output : decoded(app, record.output);
  const adopt = options.adopt ?? scope.adopt;
  return callHandler({ app, scope, definition, ref, props, phase, record, recovering, adopt, changes, previous, output });
}

async function succeed({ task, record }: Attempt, output: Encoded): Promise<void> {
  const { app, landing } = task;
  const { uid, ready } = record;
  const done = app.generation.placement.doneOf(record);
  landing.settle = (placement) => placement.resolved(uid, { ready, done });
  app.generation.handled.add(record.uid);
  await app.record([
    {
      op: "patch",
      uid: record.uid,
      set: { status: "ready", output, attempt: 0, done },
      unset: record.lastGood ? ["lastGood", "error"] : ["error"],
    },
  ]);
}

/** Keeps the intent with the error's message, tells everybody, and returns the error to reject with. */
export async function fail(
  task: Task,
  action: Action,
  record: ResourceRecord,
  error: unknown,
  context: ApplyContext,
): Promise<unknown> {
  const { app, ref } = task;
  const failure = handlerFailed(action, ref.fqn, error);
  app.generation.count("failed");
  const { code, message } = failure;
  app.events.emit("resource:failed", { ...ref, action, code, message });
  try {
    await app.record([{ op: "patch", uid: record.uid, set: { error: message } }]);
    if (app.calls.applyFailed.used) await app.calls.applyFailed.call({ ...context, error: failure });
  } catch (second) {
    // The first error is what happened to the resource; this one fails the run beside it.
    app.generation.fail("", second);
  }
  return failure;
}

export function applyContext({ task, action, found, record }: Attempt): ApplyContext {
  const { app, ref, scope, props, changes } = task;
  return { ...ref, scope, action, props, changes, output: found ? found.output : decoded(app, record.output) };
}
