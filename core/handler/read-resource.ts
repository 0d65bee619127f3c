/** Reads real resources by asking their type. */

import { isEngineError, monotonicNow, sleep } from "../base/index.js";
import type { ResourceRecord } from "../contract/index.js";
import type { Operation } from "../run/index.js";
import { type CallOptions, callHandler, handlersOf, type Subject } from "./call.js";
import { handlerFailed, interruption } from "./failure.js";
import { checkKeepable, decodeOutput, decodeProps, goodProps, withAll } from "./values.js";

/** The resource that is read. */
export type Inspected = Pick<Operation, "app" | "scope" | "definition" | "ref" | "options"> & {
  /** Uids of its dependencies; absent if it has none. */
  readonly refs?: readonly string[];
};

export interface ReadOptions {
  readonly props: unknown;
  readonly record: ResourceRecord;
  /** True if an interrupted create may have made it. Default: false. */
  readonly recovering?: boolean;
  /** False if the program has not declared it, or not yet. Default: true. */
  readonly isDeclared?: boolean;
  /** False if the engine has called no create of it yet: an empty result is final. Default: true. */
  readonly mayBeMade?: boolean;
}

/** A call of a handler that only reads: `read`, or `plan`. */
export interface Inspection extends Pick<CallOptions, "recovering" | "changes" | "isDeclared" | "values"> {
  readonly phase: "read" | "plan";
  readonly record: ResourceRecord;
}

/**
 * Calls a handler that only reads, and returns its output.
 *
 * @throws the reason of the interruption, or EngineError `HANDLER_FAILED`
 */
export async function inspect(what: Inspected, inspection: Inspection): Promise<unknown> {
  const { app, scope, definition, ref, options, refs = [] } = what;
  const { phase, record } = inspection;
  try {
    const end = await callHandler(
      { app, scope, definition, ref, record },
      {
        ...inspection,
        adopt: wantsAdoption(what),
        timeout: options.timeout,
        changing: app.run.performer.changing(refs),
      },
    );
    return end.output;
  } catch (error) {
    throw interruption(app, error) ?? handlerFailed(app, phase, ref.fqn, error);
  }
}

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/**
 * Returns the output of `read`, or undefined if the resource does not exist. Repeats `read` within the `readLag` of the
 * type.
 *
 * @throws as {@link inspect}, and the reason of the interruption
 */
export function readResource(what: Inspected, how: ReadOptions): Promise<unknown> {
  const { record, mayBeMade = true } = how;
  const lag = mayBeMade && record.local !== true ? what.definition.readLag : 0;
  return lag > 0 ? readUntil(what, how, lag) : readOnce(what, how);
}

async function readUntil(what: Inspected, how: ReadOptions, lag: number): Promise<unknown> {
  const { app, ref } = what;
  const { record } = how;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const asked = monotonicNow();
    const output = await readOnce(what, how);
    if (output !== undefined) return output;
    const end = app.run.readLags.endOf(record.uid, lag);
    if (asked >= end) return undefined;
    const left = end - monotonicNow();
    if (pause === FIRST_PAUSE) {
      const message = `read found nothing; the engine repeats it for up to ${Math.ceil(left / 1000)} s, because the service may lag behind`;
      app.events.emit("resource:log", { ...ref, message });
    }
    await sleep(Math.min(pause, Math.max(0, left)), app.signal);
    app.signal.throwIfAborted();
  }
}

function readOnce(what: Inspected, { props, record, recovering, isDeclared }: ReadOptions): Promise<unknown> {
  return inspect(what, {
    phase: "read",
    record,
    recovering,
    isDeclared,
    values: () =>
      withAll([decodeProps(what, record.uid, goodProps(record)), decodeOutput(what, record)], (values) => {
        const [previous, output] = values;
        return { props, previous, output };
      }),
  });
}

/** Result of `read` after an interrupted create. */
export interface Interrupted {
  /** Undefined if the resource does not exist. */
  readonly output: unknown;
  /** False if this create may not have made the resource: it has the same name, and no more is known. */
  readonly isOwn: boolean;
}

/**
 * Returns the result of an interrupted create.
 *
 * @returns undefined if `read` rejects with `UNRESOLVED`, because it cannot tell
 */
export async function readInterrupted(what: Inspected, how: ReadOptions): Promise<Interrupted | undefined> {
  try {
    const output = await readResource(what, { ...how, recovering: true });
    const isOwn = output === undefined || what.definition.recognizesOwn || how.record.claim === "absent";
    return { output, isOwn };
  } catch (error) {
    if (isEngineError(error, "UNRESOLVED")) return undefined;
    throw error;
  }
}

/** True for a type whose `read` may find another program's resource by name: it is also called before a create. */
export function looksFirst(what: Pick<Operation, "definition" | "scope">): boolean {
  return !what.definition.recognizesOwn && canLook(what);
}

/**
 * Calls `read` before a create begins. Returns false if a resource exists, and if `read` cannot tell: then a resource
 * found after an interruption does not count as created by this create.
 *
 * @throws as {@link inspect}
 */
export async function isAbsent(what: Inspected, how: ReadOptions): Promise<boolean> {
  // Nothing was created yet, so there is no lag.
  const found = await readInterrupted(what, { ...how, mayBeMade: false });
  return found !== undefined && found.output === undefined;
}

/** Returns the option of the resource, or else of its scope. */
export function wantsAdoption({ options, scope }: Pick<Operation, "options" | "scope">): boolean {
  return options.adopt ?? scope.adopt;
}

/** True if a type must read a resource before it can be unchanged or updated. */
export function isLookedAt(what: Pick<Operation, "app" | "definition" | "scope">): boolean {
  const { app, definition } = what;
  return definition.verify || (app.options.refresh && canLook(what));
}

export function canLook({ definition, scope }: Pick<Operation, "definition" | "scope">): boolean {
  return handlersOf(definition, scope).read !== undefined;
}

/**
 * Replaces `read` for an idempotent type: calls its create once more, with the props that it was begun with. The intent
 * is written first, as for every create. Rejects with the handler's error.
 *
 * @param timeout milliseconds
 */
export async function createAgain(again: Subject, timeout?: number): Promise<unknown> {
  const { app, scope, definition, ref, record: before } = again;
  const set = { attempt: before.attempt + 1, since: app.run.since } as const;
  await app.ledger.commit([{ op: "patch", uid: before.uid, set }], "now");
  const record = { ...before, ...set };
  const subject = { app, scope, definition, ref, record };
  const props = await decodeProps(again, record.uid, record.props);
  const end = await callHandler(subject, {
    phase: "create",
    recovering: true,
    timeout,
    values: () => ({ props, previous: undefined, output: undefined }),
    check: (values) => checkKeepable(subject, values),
  });
  return end.output;
}
