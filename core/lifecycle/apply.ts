/** One declaration, start to result. */
import { resolveInputs } from "../resource/inputs.js";
import { validate } from "../resource/schema.js";
import { INTERNALS } from "../scope/internals.js";
import type { ResourceRecord } from "../state/record.js";
import { handlersOf } from "./call.js";
import { create, resumeCreate } from "./create.js";
import { decide } from "./decide.js";
import { deleteTree } from "./delete-tree.js";
import { changedPaths } from "./diff.js";
import { replace } from "./replace.js";
import { skip } from "./skip.js";
import { type Declaration, goodProps, type Task } from "./task.js";
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
  const { value } = inputs instanceof Promise ? await inputs : inputs;
  let props: unknown = Array.isArray(value) ? value[0] : undefined;
  if (app.calls.props.used) {
    const context = { ...declaration.ref, scope, props };
    await app.calls.props.call(context);
    props = context.props;
  }
  if (definition.schema) props = await validate(definition.schema, props, declaration.ref.fqn);
  app.throwIfInterrupted();

  const record = app.ledger.read(key);
  const encoded = app.codec.encode(props);
  const changes = record ? changedPaths(goodProps(record), encoded) : [];
  const placed = app.generation.placement.ready(record?.uid, scope[INTERNALS].resource?.ready);
  const task: Task = { ...declaration, props, encoded, refs: uidsOf(declaration, refs), placed, changes };
  return act(task, record);
}

async function act(task: Task, record: ResourceRecord | undefined): Promise<unknown> {
  const { definition, scope, ref, changes, app } = task;
  const canUpdate = handlersOf(definition, scope).update !== undefined;
  const { replaceOn } = definition;
  const decision = decide({ record, kind: ref.kind, changes, force: scope.force, replaceOn, canUpdate });
  if (decision.action === "create" || !record) return create(task);
  switch (decision.action) {
    case "skip":
      return definition.verify ? verify(task, record) : skip(task, record);
    case "update":
      return update(task, record, decision.recovering);
    case "replace":
      return replace(task, record, false);
    case "resume-create":
      return resumeCreate(task, record);
    case "resume-delete":
      await deleteTree(app, record);
      return create(task);
  }
}

/** What other resources of the stage the declaration mentions; itself, in a second declaration of one id, is none. */
function uidsOf({ app, key }: Declaration, keys: ReadonlySet<string>): readonly string[] {
  if (keys.size === 0) return [];
  return [...keys].flatMap((other) => (other === key ? [] : (app.ledger.contents.at(other)?.uid ?? []))).sort();
}
