/** Asks a resource type what is really there. */

import { isEngineError, monotonicNow, sleep } from "../base/index.js";
import type { ResourceRecord } from "../contract/index.js";
import type { Declaration } from "../run/index.js";
import { callHandler, type HandlerInput, handlersOf } from "./call.js";
import { handlerFailed, interruption } from "./failure.js";
import { checkKeepable, decodeOutput, decodeProps, goodProps, withAll } from "./values.js";

export interface ReadInput extends Omit<Declaration, "key" | "declared"> {
  readonly props: unknown;
  readonly record: ResourceRecord;
  readonly recovering: boolean;
  /** Uids of what the declaration refers to; absent where there is none. */
  readonly refs?: readonly string[];
  /** False where the program has not declared it, or not yet. Default: true. */
  readonly isDeclared?: boolean;
  /** False where the engine has called no create of it yet: if nothing is there, there is nothing to wait for. Default: true. */
  readonly mayBeMade?: boolean;
}

/** A call of a handler that only looks: `read`, or `plan`. */
export interface Inspection
  extends Pick<
    HandlerInput,
    "app" | "scope" | "definition" | "ref" | "record" | "recovering" | "changes" | "isDeclared" | "values"
  > {
  readonly phase: "read" | "plan";
  readonly options: Declaration["options"];
  /** Uids of what the declaration refers to. */
  readonly refs: readonly string[];
}

/**
 * Calls a handler that only looks, and gives what it returns.
 *
 * @throws the reason that the run was interrupted with, else EngineError `HANDLER_FAILED`
 */
export async function inspect(inspection: Inspection): Promise<unknown> {
  const { app, scope, definition, ref, phase, record, recovering, changes, isDeclared, values, options, refs } =
    inspection;
  try {
    const end = await callHandler({
      app,
      scope,
      definition,
      ref,
      phase,
      record,
      recovering,
      adopt: wantsAdoption(inspection),
      changes,
      timeout: options.timeout,
      isDeclared,
      changing: app.generation.performer.changing(refs),
      values,
    });
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
export function readResource(input: ReadInput): Promise<unknown> {
  const { definition, record, mayBeMade = true } = input;
  const lag = mayBeMade && record.local !== true ? definition.readLag : 0;
  return lag > 0 ? readUntil(input, lag) : readOnce(input);
}

async function readUntil(input: ReadInput, lag: number): Promise<unknown> {
  const { app, ref, record } = input;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const asked = monotonicNow();
    const output = await readOnce(input);
    if (output !== undefined) return output;
    const end = app.generation.readLags.endOf(record.uid, lag);
    if (asked >= end) return undefined;
    const left = end - monotonicNow();
    if (pause === FIRST_PAUSE) {
      const message = `read finds nothing; it is asked again for up to ${Math.ceil(left / 1000)} s, because the service may lag behind`;
      app.events.emit("resource:log", { ...ref, message });
    }
    await sleep(Math.min(pause, Math.max(0, left)), app.signal);
    app.signal.throwIfAborted();
  }
}

function readOnce(input: ReadInput): Promise<unknown> {
  const { app, scope, definition, options, ref, record, recovering, props, refs = [], isDeclared = true } = input;
  return inspect({
    app,
    scope,
    definition,
    ref,
    phase: "read",
    options,
    record,
    recovering,
    changes: [],
    isDeclared,
    refs,
    values: () =>
      withAll([decodeProps(input, record.uid, goodProps(record)), decodeOutput(input, record)], (values) => {
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
export async function readInterrupted(input: Omit<ReadInput, "recovering">): Promise<Interrupted | undefined> {
  try {
    const output = await readResource({ ...input, recovering: true });
    const isOwn = output === undefined || input.definition.recognizesOwn || input.record.claim === "absent";
    return { output, isOwn };
  } catch (error) {
    if (isEngineError(error, "UNRESOLVED")) return undefined;
    throw error;
  }
}

/** True for a type whose `read` may find what another one made, by its name: it is asked before a create begins, too. */
export function looksFirst(what: Pick<Declaration, "definition" | "scope">): boolean {
  return !what.definition.recognizesOwn && canLook(what);
}

/**
 * Asks `read`, before a create begins, what it would be asked afterwards. False if something is there, and if `read` cannot tell: then
 * what is found after an interruption is not taken for what this create made.
 *
 * @throws as {@link inspect}
 */
export async function isAbsent(input: Omit<ReadInput, "recovering">): Promise<boolean> {
  // Nothing was created yet, so there is no lag to wait for.
  const found = await readInterrupted({ ...input, mayBeMade: false });
  return found !== undefined && found.output === undefined;
}

/** As the program says: for the resource, else for its scope. */
export function wantsAdoption({ options, scope }: Pick<Declaration, "options" | "scope">): boolean {
  return options.adopt ?? scope.adopt;
}

/** Nothing is skipped or updated before its type has looked whether it is there. */
export function isLookedAt(what: Pick<Declaration, "app" | "definition" | "scope">): boolean {
  const { app, definition } = what;
  return definition.verify || (app.options.refresh && canLook(what));
}

export function canLook({ definition, scope }: Pick<Declaration, "definition" | "scope">): boolean {
  return handlersOf(definition, scope).read !== undefined;
}

export type Again = Pick<ReadInput, "app" | "scope" | "definition" | "ref" | "record">;

/**
 * What an idempotent type has in place of `read`: its create is called once more, with the props that it was begun with. The
 * intent is written first, as for every create. Rejects with what the handler threw.
 *
 * @param timeout milliseconds
 */
export async function createAgain(again: Again, timeout?: number): Promise<unknown> {
  const { app, scope, definition, ref, record: before } = again;
  const set = { attempt: before.attempt + 1, since: app.generation.since } as const;
  await app.ledger.commit([{ op: "patch", uid: before.uid, set }], "now");
  const record = { ...before, ...set };
  const props = await decodeProps(again, record.uid, record.props);
  const end = await callHandler({
    app,
    scope,
    definition,
    ref,
    phase: "create",
    record,
    recovering: true,
    adopt: false,
    changes: [],
    timeout,
    isDeclared: true,
    values: () => ({ props, previous: undefined, output: undefined }),
    check: (values) => checkKeepable({ app, scope, definition, ref, record }, values),
  });
  return end.output;
}
