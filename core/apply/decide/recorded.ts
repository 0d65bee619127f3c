/** Declarations in the phases that apply nothing: they give what is recorded. */
import { EngineError, unknownValue } from "../../base/index.js";
import { folderOf, type ResourceRecord } from "../../contract/index.js";
import { decodeOutput, type ValueHolder } from "../../handler/index.js";
import { findRecorded, recordedIn } from "../../records/index.js";
import type { Declaration } from "../../run/index.js";
import { scopeAt } from "../../scope/index.js";

/** @throws EngineError `NOT_RECORDED`, `KIND_MISMATCH` in the read phase */
export async function recorded(declaration: Declaration): Promise<unknown> {
  const { app, ref, declared } = declaration;
  if (app.options.phase === "destroy") {
    const contents = app.generation.before ?? app.ledger.contents;
    const { record } = recordedIn(declaration, (name) => contents.at(name));
    // Nothing is made in a destroy: what a repeated create declares may be missing until an up calls its handler again.
    if (record?.status !== "ready") declared.isUndone = true;
    return record?.output === undefined ? unknownValue(ref.fqn) : decodeOutput(holderOf(declaration, record), record);
  }
  const output = await outputOf(declaration, findRecorded(declaration).record);
  app.generation.count("read");
  app.events.emit("resource:read", { ...ref, duration: 0 });
  return output;
}

/** Under an earlier name a secret is bound to the scope that it was recorded in. */
function holderOf(declaration: Declaration, { key }: ResourceRecord): ValueHolder {
  return key === declaration.key ? declaration : { ...declaration, scope: scopeAt(declaration.app, folderOf(key)) };
}

function outputOf(declaration: Declaration, record: ResourceRecord | undefined): unknown {
  const { ref } = declaration;
  if (record && record.kind !== ref.kind) {
    throw new EngineError(
      "KIND_MISMATCH",
      `"${ref.fqn}" is recorded as "${record.kind}", but the program declares "${ref.kind}". Run "up" to replace it.`,
      { fqn: ref.fqn },
    );
  }
  if (record?.output !== undefined) return decodeOutput(holderOf(declaration, record), record);
  throw new EngineError(
    "NOT_RECORDED",
    `"${ref.fqn}" is not recorded, so there is nothing to read. Run "up" first, or check the stage.`,
    { fqn: ref.fqn },
  );
}
