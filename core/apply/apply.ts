/** Applies one declaration, from start to result; one that is not applied resolves with its record. */
import { EngineError, isEngineError, messageOf, unknownValue, uuid } from "../base/index.js";
import { resolveInputs } from "../codec/index.js";
import { type Encoded, folderOf, isAdoption, isNotWhole, type ResourceRecord } from "../contract/index.js";
import {
  canLook,
  decodeOutput,
  encodeOutput,
  encodeProps,
  goodProps,
  readResource,
  type ValueHolder,
} from "../handler/index.js";
import { applyAlias, findRecorded, lateAliasOf, recordedIn, takeOver } from "../rename/index.js";
import { type App, type Operation, References, refuseUnknown, type Selection } from "../run/index.js";
import { scopeAt } from "../scope/index.js";
import { changedPaths } from "./decide/decide.js";
import { ignoresProps, warnOfUnmatched, withoutIgnored } from "./decide/ignored.js";
import { dispatch } from "./dispatch.js";
import { replaceDeleted } from "./update.js";

/** Synchronous, like the functions that it calls, unless a promise is in the way. */
export function applyDeclaration(operation: Operation, props: unknown): unknown {
  const { app, key, definition, options } = operation;
  if (app.options.phase !== "up") return recorded(operation);
  const refs = new References(app, key, operation.declared);
  let inputs: unknown;
  try {
    inputs = resolveInputs(props, refs, options.dependsOn);
  } catch (error) {
    // A getter of the program may throw as well.
    return propsFailed(operation)(error);
  }
  const { selection } = app.run.bounds;
  if (selection) return applySelected(operation, inputs, refs, selection);
  if (inputs instanceof Promise || app.calls.props.used || definition.schema || app.run.hasChildren(key)) {
    return completed(operation, inputs).then((whole) => compare(operation, whole, refs));
  }
  return compare(operation, inputs, refs);
}

/** Applies a declaration of a run with `target` or `exclude`. Its references are known once its props are. */
async function applySelected(
  operation: Operation,
  inputs: unknown,
  refs: References,
  selection: Selection,
): Promise<unknown> {
  const there = inputs instanceof Promise ? await inputs.catch(propsFailed(operation)) : inputs;
  if (!selection.choose(operation, refs.keys)) return exclude(operation, selection);
  refuseUnknown(selection, operation, there);
  return compare(operation, await completed(operation, there), refs);
}

/** Returns the complete props, as plugins and the type's schema change them. */
async function completed(operation: Operation, inputs: unknown): Promise<unknown> {
  const { app, scope, definition, ref, key } = operation;
  let props: unknown = inputs instanceof Promise ? await inputs.catch(propsFailed(operation)) : inputs;
  if (app.calls.props.used) {
    const context = { ...ref, scope, props };
    await app.calls.props.call(context);
    props = context.props;
  }
  const { schema } = definition;
  if (schema) props = await app.run.performer.validate(schema, props, ref.fqn).catch(propsFailed(operation));
  app.signal.throwIfAborted();
  await app.run.renew(key, app.ledger.contents);
  return props;
}

function compare(operation: Operation, props: unknown, refs: References): unknown {
  operation.app.signal.throwIfAborted();
  const going = operation.app.run.first.get(operation.key);
  if (going && !going.isOver) return going.over.then(() => compare(operation, props, refs));
  const record = ownRecord(operation, props);
  if (record instanceof Promise) return record.then((own) => compareWith(operation, props, refs, own));
  return compareWith(operation, props, refs, record);
}

function compareWith(
  operation: Operation,
  props: unknown,
  refs: References,
  record: ResourceRecord | undefined,
): unknown {
  const uid = record?.uid ?? uuid();
  const encoded = encodeProps(operation, uid, props, record);
  if (!(encoded instanceof Promise)) return decideOn(operation, record, uid, encoded, refs);
  return encoded.then((complete) => {
    operation.app.signal.throwIfAborted();
    return decideOn(operation, record, uid, complete, refs);
  });
}

function decideOn(
  operation: Operation,
  record: ResourceRecord | undefined,
  uid: string,
  declaredProps: Encoded,
  references: References,
): unknown {
  const { app, key, declared } = operation;
  declared.isDecided = true;
  const known = record && !isAdoption(record) ? record : undefined;
  if (ignoresProps(operation)) warnOfUnmatched(operation, declaredProps, known);
  const encoded = known ? withoutIgnored(operation, declaredProps, known) : declaredProps;
  const changes = known ? changedPaths(goodProps(known), encoded) : NO_CHANGES;
  references.refuseDestroyed();
  const refs = references.uids();
  const compared = operation.compare({ encoded, declaredProps, uid, refs, changes });
  const deleted = record ? undefined : app.run.first.get(key);
  return deleted ? replaceDeleted(compared, deleted.record) : dispatch(compared, record);
}

const NO_CHANGES: readonly string[] = [];

/** Adds the resource to the rejection of a promise in the props, or the exception of a schema. */
function propsFailed({ ref: { fqn } }: Operation): (error: unknown) => never {
  return (error) => {
    if (isEngineError(error) || error instanceof AggregateError) throw error;
    const message = `The props of "${fqn}" could not be resolved: ${messageOf(error)}`;
    throw new EngineError("INVALID_PROPS", message, { fqn, cause: error });
  };
}

// The record that a declaration continues from: under its present name and, if possible, of its present kind.

type Own = ResourceRecord | undefined;

/** Returns a promise if the record is moved or read before. */
function ownRecord(operation: Operation, props: unknown): Own | Promise<Own> {
  const { record, alias } = findRecorded(operation);
  if (alias !== undefined) return applyAlias(operation, alias).then((own) => withKind(operation, own, props));
  const late = record && lateAliasOf(operation, record);
  if (late === undefined) return withKind(operation, record, props);
  return takeOver(operation, late).then((own) => withKind(operation, own, props));
}

/**
 * Gives the record its declared kind, if that type can take it over (`movesFrom`); otherwise it keeps its own and is
 * replaced. Only a declaration with aliases can take a record over.
 */
function withKind(operation: Operation, record: Own, props: unknown): Own | Promise<Own> {
  const { definition, ref, options } = operation;
  if (!record || record.kind === ref.kind || !options.aliases?.length) return record;
  // An incomplete resource must be updated next, by the new type.
  if (record.status !== "ready" && record.status !== "deleting" && !isNotWhole(record)) return record;
  return definition.movesFrom?.(record.kind) && canLook(operation) ? move(operation, record, props) : record;
}

async function move(operation: Operation, record: ResourceRecord, props: unknown): Promise<Own> {
  const { app, key, ref } = operation;
  const { uid } = record;
  const output = await readResource(operation, { props, record });
  app.signal.throwIfAborted();
  if (output === undefined) return record;
  const encoded = await encodeOutput(operation, uid, output, record.output);
  await app.record([{ op: "patch", uid, set: { kind: ref.kind, output: encoded } }]);
  return app.ledger.read(key);
}

// Declarations that are not applied, because of the phase or because they are left out: they resolve with their
// records.

/** @throws EngineError `NOT_RECORDED`, `KIND_MISMATCH` in the read phase */
async function recorded(operation: Operation): Promise<unknown> {
  const { app, ref, declared } = operation;
  if (app.options.phase === "destroy") {
    const contents = app.run.before ?? app.ledger.contents;
    const { record } = recordedIn(operation, (name) => contents.at(name));
    // A destroy creates nothing: children of a repeated create may be missing until an up calls its handler again.
    if (record?.status !== "ready") declared.isUndone = true;
    return record?.output === undefined ? unknownValue(ref.fqn) : decodeOutput(holderOf(operation, record), record);
  }
  const output = await outputOf(operation, findRecorded(operation).record);
  app.run.count("read");
  app.events.emit("resource:read", { ...ref, duration: 0 });
  return output;
}

/** Under an earlier name, a secret is bound to the scope that it was recorded in. */
function holderOf(operation: Operation, { key }: ResourceRecord): ValueHolder {
  const { app, ref } = operation;
  return key === operation.key ? operation : { app, ref, scope: scopeAt(app, folderOf(key)) };
}

function outputOf(operation: Operation, record: ResourceRecord | undefined): unknown {
  const { ref } = operation;
  if (record && record.kind !== ref.kind) {
    throw new EngineError(
      "KIND_MISMATCH",
      `"${ref.fqn}" is recorded as "${record.kind}", but the program declares "${ref.kind}". To replace it, run: engine up`,
      { fqn: ref.fqn },
    );
  }
  if (record?.output !== undefined) return decodeOutput(holderOf(operation, record), record);
  const message = record
    ? `"${ref.fqn}" has no recorded output, because its create or adoption did not finish. Run "engine up" first.`
    : `"${ref.fqn}" is not recorded, so there is nothing to read. Run "engine up" first, or check the stage (--stage).`;
  throw new EngineError("NOT_RECORDED", message, { fqn: ref.fqn });
}

/**
 * Returns the recorded output, also of a record under an earlier name, which keeps that name. Returns an unknown value
 * if there is no output of its kind, or if its delete has begun.
 */
function exclude(operation: Operation, selection: Selection): unknown {
  const { key, ref, declared } = operation;
  const { record } = findRecorded(operation);
  if (record) {
    selection.hold(key, record);
    declared.settle = (placement) => placement.leftOut(record.uid);
  }
  const isThere = record?.kind === ref.kind && record.status !== "deleting" && !isAdoption(record);
  if (!isThere || record.status !== "ready") declared.isUndone = true;
  if (isThere && record.output !== undefined) return decodeOutput(operation, record);
  selection.giveUnknown(ref.fqn);
  return unknownValue(ref.fqn);
}

/** Maximum number of names in the warning; a plan lists all. */
const MOST = 3;

/** Warns, once at the end of a run, about the declarations that were left out. */
export function emitExcluded({ options, run }: App): void {
  const names = run.bounds.selection?.leftOut.map(({ fqn }) => fqn) ?? [];
  if (names.length === 0) return;
  const { target, exclude } = options;
  const why = target === undefined ? "excluded" : exclude === undefined ? "not targeted" : "not targeted, or excluded";
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : "";
  const what = names.length === 1 ? "1 resource was" : `${names.length} resources were`;
  const message = `${what} left out of this run (${why}): ${names.slice(0, MOST).join(", ")}${more}`;
  run.performer.events.warn("LEFT_OUT", message);
}
