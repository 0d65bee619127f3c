/** Declarations in the phases that apply nothing: they give what is recorded. */
import { EngineError, unknownValue } from "../../base/index.js";
import { folderOf, isAdoption, type ResourceRecord } from "../../contract/index.js";
import { decodeOutput, type ValueHolder } from "../../handler/index.js";
import { findRecorded, recordedIn } from "../../rename/index.js";
import type { App, Operation, Selection } from "../../run/index.js";
import { scopeAt } from "../../scope/index.js";

/** @throws EngineError `NOT_RECORDED`, `KIND_MISMATCH` in the read phase */
export async function recorded(operation: Operation): Promise<unknown> {
  const { app, ref, declared } = operation;
  if (app.options.phase === "destroy") {
    const contents = app.run.before ?? app.ledger.contents;
    const { record } = recordedIn(operation, (name) => contents.at(name));
    // Nothing is made in a destroy: what a repeated create declares may be missing until an up calls its handler again.
    if (record?.status !== "ready") declared.isUndone = true;
    return record?.output === undefined ? unknownValue(ref.fqn) : decodeOutput(holderOf(operation, record), record);
  }
  const output = await outputOf(operation, findRecorded(operation).record);
  app.run.count("read");
  app.events.emit("resource:read", { ...ref, duration: 0 });
  return output;
}

/** Under an earlier name a secret is bound to the scope that it was recorded in. */
function holderOf(operation: Operation, { key }: ResourceRecord): ValueHolder {
  const { app, ref } = operation;
  return key === operation.key ? operation : { app, ref, scope: scopeAt(app, folderOf(key)) };
}

function outputOf(operation: Operation, record: ResourceRecord | undefined): unknown {
  const { ref } = operation;
  if (record && record.kind !== ref.kind) {
    throw new EngineError(
      "KIND_MISMATCH",
      `"${ref.fqn}" is recorded as "${record.kind}", but the program declares "${ref.kind}". Run "up" to replace it.`,
      { fqn: ref.fqn },
    );
  }
  if (record?.output !== undefined) return decodeOutput(holderOf(operation, record), record);
  throw new EngineError(
    "NOT_RECORDED",
    `"${ref.fqn}" is not recorded, so there is nothing to read. Run "up" first, or check the stage.`,
    { fqn: ref.fqn },
  );
}

/**
 * The recorded output, also under an earlier name, which stays; an unknown value where there is none of its kind, and where its
 * delete was begun.
 */
export function exclude(operation: Operation, selection: Selection): unknown {
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

/** The most names in the warning; a plan lists all. */
const MOST = 3;

/** Warns, once at the end of a run, of the declarations that were left out. */
export function emitExcluded({ options, run }: App): void {
  const names = run.bounds.selection?.leftOut.map(({ fqn }) => fqn) ?? [];
  if (names.length === 0) return;
  const why = options.target === undefined ? "excluded" : "not targeted";
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : "";
  const what = names.length === 1 ? "1 resource" : `${names.length} resources`;
  const message = `Left out of this run, for it was ${why}: ${what} (${names.slice(0, MOST).join(", ")}${more})`;
  run.performer.events.warn("LEFT_OUT", message);
}
