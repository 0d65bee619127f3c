/** One declaration, start to result. */
import { EngineError, isEngineError, messageOf } from "../errors.js";
import { resolveInputs } from "../resource/inputs.js";
import { validate } from "../resource/schema.js";
import type { ResourceRecord } from "../state/record.js";
import { handlersOf } from "./call.js";
import { create, resumeCreate } from "./create.js";
import { decide } from "./decide.js";
import { deleteTree } from "./delete-tree.js";
import { changedPaths } from "./diff.js";
import { replace } from "./replace.js";
import { skip } from "./skip.js";
import { type Compared, type Declaration, goodProps, place } from "./task.js";
import { update } from "./update.js";
import { verify } from "./verify.js";

export async function apply(declaration: Declaration): Promise<unknown> {
  const { app, key, scope, definition } = declaration;
  const refs = new Set<string>();
  const note = (object: object): void => {
    const origin = app.origins.get(object);
    if (origin !== undefined) refs.add(origin);
  };
  const inputs = resolveInputs([declaration.props, declaration.options.dependsOn], note);
  const { value } = inputs instanceof Promise ? await inputs.catch(propsFailed(declaration)) : inputs;
  let props: unknown = Array.isArray(value) ? value[0] : undefined;
  if (app.calls.props.used) {
    const context = { ...declaration.ref, scope, props };
    await app.calls.props.call(context);
    props = context.props;
  }
  if (definition.schema) {
    props = await validate(definition.schema, props, declaration.ref.fqn).catch(propsFailed(declaration));
  }
  app.throwIfInterrupted();
  const renewed = app.generation.renew(key);
  if (renewed !== undefined) await renewed;

  const record = app.ledger.read(key);
  const encoded = app.codec.encode(props);
  const changes = record ? changedPaths(goodProps(record), encoded) : [];
  return act({ ...declaration, props, encoded, refs: uidsOf(declaration, refs), changes }, record);
}

/** What a promise of the program rejected with, or a schema threw, with the resource that met it. */
function propsFailed({ ref: { fqn } }: Declaration): (error: unknown) => never {
  return (error) => {
    if (isEngineError(error) || error instanceof AggregateError) throw error;
    const message = `The props of "${fqn}" could not be resolved: ${messageOf(error)}`;
    throw new EngineError("INVALID_PROPS", message, { fqn, cause: error });
  };
}

/** Not asynchronous itself: most resources are unchanged, and each promise between costs them a turn. */
function act(compared: Compared, record: ResourceRecord | undefined): unknown {
  const { definition, scope, ref, changes, app } = compared;
  const canUpdate = handlersOf(definition, scope).update !== undefined;
  const { replaceOn } = definition;
  const decision = decide({ record, kind: ref.kind, changes, force: scope.force, replaceOn, canUpdate });
  if (record && decision.action === "skip") {
    return definition.verify ? verify(compared, record) : skip(compared, record);
  }
  const task = place(compared, record);
  if (!record) return create(task);
  switch (decision.action) {
    case "create":
    case "skip":
      return create(task);
    case "update":
      return update(task, record, decision.recovering);
    case "replace":
      return replace(task, record, { deleteFirst: false });
    case "resume-create":
      return resumeCreate(task, record);
    case "resume-delete":
      return deleteTree(app, record).then(() => create(task));
  }
}

/** What other resources of the stage the declaration mentions; itself, in a second declaration of one id, is none. */
function uidsOf({ app, key }: Declaration, keys: ReadonlySet<string>): readonly string[] {
  if (keys.size === 0) return [];
  return [...keys].flatMap((other) => (other === key ? [] : (app.ledger.contents.at(other)?.uid ?? []))).sort();
}
