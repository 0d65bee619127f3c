/** Asks a resource type what is really there. */

import { isEngineError, monotonicNow, sleep } from "../base/index.js";
import type { ResourceRecord } from "../contract/index.js";
import type { Operation } from "../run/index.js";
import { type CallOptions, callHandler, handlersOf, type Subject } from "./call.js";
import { handlerFailed, interruption } from "./failure.js";
import { checkKeepable, decodeOutput, decodeProps, goodProps, withAll } from "./values.js";

/** The resource that is looked at. */
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
  /** False if the engine has called no create of it yet: if nothing is there, there is nothing to wait for. Default: true. */
  readonly mayBeMade?: boolean;
}

/** A call of a handler that only looks: `read`, or `plan`. */
export interface Inspection extends Pick<CallOptions, "recovering" | "changes" | "isDeclared" | "values"> {
  readonly phase: "read" | "plan";
  readonly record: ResourceRecord;
}

/**
 * Calls a handler that only looks, and gives what it returns.
 *
 * @throws the reason that the run was interrupted with, else EngineError `HANDLER_FAILED`
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
 * The output that `read` gives, or undefined where there is nothing. Within the `readLag` of the type `read` is asked again.
 *
 * @throws as {@link inspect}, and the reason that the run was interrupted with
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

/** What `read` says about an interrupted create. */
export interface Interrupted {
  /** Undefined if nothing is there. */
  readonly output: unknown;
  /** False if something is there that this create may not have made: it has its name, and no more is known. */
  readonly isOwn: boolean;
}

/**
 * What an interrupted create has made.
 *
 * @returns undefined where `read` rejects with `UNRESOLVED`: it cannot tell
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

/** True for a type whose `read` may find what another one made, by its name: it is asked before a create begins, too. */
export function looksFirst(what: Pick<Operation, "definition" | "scope">): boolean {
  return !what.definition.recognizesOwn && canLook(what);
}

/**
 * Asks `read`, before a create begins, what it would be asked afterwards. False if something is there, and if `read` cannot tell: then
 * what is found after an interruption is not taken for what this create made.
 *
 * @throws as {@link inspect}
 */
export async function isAbsent(what: Inspected, how: ReadOptions): Promise<boolean> {
  // Nothing was created yet, so there is no lag to wait for.
  const found = await readInterrupted(what, { ...how, mayBeMade: false });
  return found !== undefined && found.output === undefined;
}

/** As the program says: for the resource, else for its scope. */
export function wantsAdoption({ options, scope }: Pick<Operation, "options" | "scope">): boolean {
  return options.adopt ?? scope.adopt;
}

/** Nothing is skipped or updated before its type has looked whether it is there. */
export function isLookedAt(what: Pick<Operation, "app" | "definition" | "scope">): boolean {
  const { app, definition } = what;
  return definition.verify || (app.options.refresh && canLook(what));
}

export function canLook({ definition, scope }: Pick<Operation, "definition" | "scope">): boolean {
  return handlersOf(definition, scope).read !== undefined;
}

/**
 * What an idempotent type has in place of `read`: its create is called once more, with the props that it was begun with. The
 * intent is written first, as for every create. Rejects with what the handler threw.
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
