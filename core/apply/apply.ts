/** One declaration, start to result. */
import { EngineError, isEngineError, messageOf, uuid } from "../base/index.js";
import { resolveInputs } from "../codec/index.js";
import { type Encoded, isAdoption, isNotWhole, type ResourceRecord } from "../contract/index.js";
import { canLook, encodeOutput, encodeProps, goodProps, readResource } from "../handler/index.js";
import { applyAlias, findRecorded } from "../records/index.js";
import { type Declaration, References } from "../run/index.js";
import { refuseUnknown, type Selection } from "../select/index.js";
import { changedPaths } from "./decide/decide.js";
import { ignoresProps, warnOfUnmatched, withoutIgnored } from "./decide/ignored.js";
import { exclude, recorded } from "./decide/recorded.js";
import { dispatch } from "./dispatch.js";
import { formerOfUnmade, giveWay } from "./give-way.js";
import { replaceDeleted } from "./update.js";

/** Not asynchronous itself, nor is what follows. */
export function apply(declaration: Declaration, props: unknown): unknown {
  const { app, key, definition, options } = declaration;
  if (app.options.phase !== "up") return recorded(declaration);
  const refs = new References(app, key, declaration.declared);
  let inputs: unknown;
  try {
    inputs = resolveInputs(props, refs, options.dependsOn);
  } catch (error) {
    // A getter of the program may throw as well.
    return propsFailed(declaration)(error);
  }
  const { selection } = app.generation.bounds;
  if (selection) return applySelected(declaration, inputs, refs, selection);
  if (inputs instanceof Promise || app.calls.props.used || definition.schema || app.generation.hasChildren(key)) {
    return completed(declaration, inputs).then((whole) => compare(declaration, whole, refs));
  }
  return compare(declaration, inputs, refs);
}

/** Applies a declaration of a run with `target` or `exclude`. What it refers to is known once its props are there. */
async function applySelected(
  declaration: Declaration,
  inputs: unknown,
  refs: References,
  selection: Selection,
): Promise<unknown> {
  const there = inputs instanceof Promise ? await inputs.catch(propsFailed(declaration)) : inputs;
  if (!selection.choose(declaration, refs.keys)) return exclude(declaration, selection);
  refuseUnknown(selection, declaration, there);
  return compare(declaration, await completed(declaration, there), refs);
}

/** The props once they are all there, and as plugins and the type's schema make them. */
async function completed(declaration: Declaration, inputs: unknown): Promise<unknown> {
  const { app, scope, definition, ref, key } = declaration;
  let props: unknown = inputs instanceof Promise ? await inputs.catch(propsFailed(declaration)) : inputs;
  if (app.calls.props.used) {
    const context = { ...ref, scope, props };
    await app.calls.props.call(context);
    props = context.props;
  }
  const { schema } = definition;
  if (schema) props = await app.generation.performer.validate(schema, props, ref.fqn).catch(propsFailed(declaration));
  app.signal.throwIfAborted();
  await app.generation.renew(key, app.ledger.contents);
  return props;
}

function compare(declaration: Declaration, props: unknown, refs: References): unknown {
  declaration.app.signal.throwIfAborted();
  const going = declaration.app.generation.first.get(declaration.key);
  if (going && !going.isOver) return going.over.then(() => compare(declaration, props, refs));
  const record = ownRecord(declaration, props);
  if (record instanceof Promise) return record.then((own) => compareWith(declaration, props, refs, own));
  return compareWith(declaration, props, refs, record);
}

function compareWith(
  declaration: Declaration,
  props: unknown,
  refs: References,
  record: ResourceRecord | undefined,
): unknown {
  const uid = record?.uid ?? uuid();
  const encoded = encodeProps(declaration, uid, props, record);
  if (!(encoded instanceof Promise)) return decideOn(declaration, record, uid, encoded, refs);
  return encoded.then((complete) => {
    declaration.app.signal.throwIfAborted();
    return decideOn(declaration, record, uid, complete, refs);
  });
}

function decideOn(
  declaration: Declaration,
  record: ResourceRecord | undefined,
  uid: string,
  declaredProps: Encoded,
  references: References,
): unknown {
  const { app, key, scope, definition, ref, options, declared } = declaration;
  declared.isDecided = true;
  const known = record && !isAdoption(record) ? record : undefined;
  if (ignoresProps(declaration)) warnOfUnmatched(declaration, declaredProps, known);
  const encoded = known ? withoutIgnored(declaration, declaredProps, known) : declaredProps;
  const changes = known ? changedPaths(goodProps(known), encoded) : NO_CHANGES;
  references.refuseDestroyed();
  const refs = references.uids();
  // Member by member, as wherever every resource comes by: to copy and override takes ten times as long.
  const compared = { app, scope, definition, ref, key, options, declared, encoded, declaredProps, uid, refs, changes };
  const deleted = record ? undefined : app.generation.first.get(key);
  return deleted ? replaceDeleted(compared, deleted.record) : dispatch(compared, record);
}

const NO_CHANGES: readonly string[] = [];

/** What a promise of the program rejected with, or a schema threw, with the resource that met it. */
function propsFailed({ ref: { fqn } }: Declaration): (error: unknown) => never {
  return (error) => {
    if (isEngineError(error) || error instanceof AggregateError) throw error;
    const message = `The props of "${fqn}" could not be resolved: ${messageOf(error)}`;
    throw new EngineError("INVALID_PROPS", message, { fqn, cause: error });
  };
}

// The record that a declaration goes on from: under its present name, where it can be of its present kind.

type Own = ResourceRecord | undefined;

/** A promise where it is moved, or looked at, before. */
function ownRecord(declaration: Declaration, props: unknown): Own | Promise<Own> {
  const { record, alias } = findRecorded(declaration);
  if (alias !== undefined) return applyAlias(declaration, alias).then((own) => withKind(declaration, own, props));
  const former = record && formerOfUnmade(declaration, record);
  if (former === undefined) return withKind(declaration, record, props);
  return giveWay(declaration, former).then((own) => withKind(declaration, own, props));
}

/**
 * Gives the record the kind that it is declared with now, where that type can take it over (`movesFrom`); else it keeps its own, and
 * is replaced. Only a declaration with aliases can take a record over.
 */
function withKind(declaration: Declaration, record: Own, props: unknown): Own | Promise<Own> {
  const { definition, ref, options } = declaration;
  if (!record || record.kind === ref.kind || !options.aliases?.length) return record;
  // What is not whole is updated next, which is for the new type to do.
  if (record.status !== "ready" && record.status !== "deleting" && !isNotWhole(record)) return record;
  return definition.movesFrom?.(record.kind) && canLook(declaration) ? move(declaration, record, props) : record;
}

async function move(declaration: Declaration, record: ResourceRecord, props: unknown): Promise<Own> {
  const { app, key, ref } = declaration;
  const { uid } = record;
  const output = await readResource({ ...declaration, props, record, recovering: false });
  app.signal.throwIfAborted();
  if (output === undefined) return record;
  const encoded = await encodeOutput(declaration, uid, output, record.output);
  await app.record([{ op: "patch", uid, set: { kind: ref.kind, output: encoded } }]);
  return app.ledger.read(key);
}
