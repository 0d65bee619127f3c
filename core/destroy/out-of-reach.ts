/**
 * Detects a delete that may look under a value that an update removed, e.g. the former name of its renamed database.
 * The service would delete nothing and report success, so `read` is called before.
 */

import { EngineError } from "../base/index.js";
import { type Encoded, forgetCommand, fqnIn, type ResourceRecord } from "../contract/index.js";
import { goodProps, handlersFor } from "../handler/index.js";
import { definitionOf } from "../resource/index.js";
import type { App } from "../run/index.js";
import { type Deletion, isGone, prepare } from "./deletion.js";
import { formerValues, holdsOne, textsIn } from "./dependents.js";

/** A declaration that replaces the recorded resource. */
export interface Next {
  readonly encoded: Encoded;
  readonly refs: readonly string[];
}

/**
 * Refuses a replacement that deletes first, if `read` finds nothing at the place of the delete. A delete that an
 * earlier run began may have taken effect: then there is only a warning.
 *
 * @throws EngineError `UNRESOLVED`
 */
export async function refuseOutOfReach(app: App, old: ResourceRecord, next: Next): Promise<void> {
  const source = renewedSource(app, old, next);
  if (!source) return;
  const deletion = await prepare({ app, record: old, reason: "replaced" });
  if (!(await findsNothing(deletion))) return;
  if (old.status === "deleting") return warn(deletion, source);
  const { fqn } = deletion.ref;
  const options = app.run.optionsOf(old.key) ?? {};
  const from = fqnIn(app.root, source.key);
  const message = `"${fqn}" was not replaced: its read found nothing with the recorded props. It refers to "${from}", which was updated in place, so "${fqn}" may still exist under other props. If it does, undo that update of "${from}" and run "engine up". Then make the change again with a saved plan, which deletes "${fqn}" before it updates "${from}": engine plan --out plan.json, then engine up --plan plan.json. If "${fqn}" is gone, run ${forgetCommand(fqn, old, options)}, then "engine up".`;
  throw new EngineError("UNRESOLVED", message, { fqn });
}

/** Warns in the same way about the delete of a resource that is not declared any more. */
export async function warnOutOfReach(deletion: Deletion): Promise<void> {
  const source = updatedSource(deletion);
  if (source && (await findsNothing(deletion))) warn(deletion, source);
}

/**
 * Returns a resource that it refers to before and after, if the new props hold its new values in place of former ones.
 */
function renewedSource({ ledger: { contents } }: App, old: ResourceRecord, next: Next): ResourceRecord | undefined {
  const both = next.refs.filter((uid) => old.refs?.includes(uid));
  if (both.length === 0) return undefined;
  const [before, after] = [textsIn(goodProps(old)), textsIn(next.encoded)];
  const gone = [...before].filter((text) => !after.has(text));
  const come = [...after].filter((text) => !before.has(text));
  return both
    .map((uid) => contents.records.get(uid))
    .find((source) => {
      if (!source || !isReal(source)) return false;
      const present = textsIn(source.output);
      return come.some((text) => present.has(text)) && gone.some((text) => !present.has(text));
    });
}

/** Returns a resource that it refers to, if an update of this run removed a value that is in the record's props. */
function updatedSource({ app, record }: Deletion): ResourceRecord | undefined {
  const { ledger, run } = app;
  for (const uid of record.refs ?? []) {
    const [source, former] = [ledger.contents.records.get(uid), run.formerOutputs.get(uid)];
    if (!source || former === undefined || !isReal(source)) continue;
    if (holdsOne(goodProps(record), formerValues(former, source.output))) return source;
  }
  return undefined;
}

/** False for a data source: no resource is found by its name. */
function isReal(record: ResourceRecord): boolean {
  const definition = definitionOf(record.kind);
  return definition !== undefined && handlersFor(definition, record).delete !== undefined;
}

/** False also if the type cannot read or delete. If its `read` fails, the delete reports the reason. */
async function findsNothing(deletion: Deletion): Promise<boolean> {
  const { app, definition, record } = deletion;
  if (!handlersFor(definition, record).delete) return false;
  const isNothing = await isGone(deletion);
  app.signal.throwIfAborted();
  return isNothing;
}

function warn({ app, ref: { fqn } }: Deletion, source: ResourceRecord): void {
  const from = fqnIn(app.root, source.key);
  app.run.warnings.add(app.events, {
    code: "DELETE_FOUND_NOTHING",
    fqn,
    one: `"${fqn}" is being deleted, but its read found nothing with the recorded props. It refers to "${from}", which was updated in place, so "${fqn}" may still exist under other props: look for it after the run. To delete a resource before such an update, use a plan: engine plan --out plan.json, then engine up --plan plan.json.`,
    several: (count) =>
      `${count} resources are being deleted, but their reads found nothing with the recorded props. They refer to resources that were updated in place, so the resources to delete may still exist under other props: look for them after the run. To delete resources before such an update, use a plan: engine plan --out plan.json, then engine up --plan plan.json.`,
  });
}
