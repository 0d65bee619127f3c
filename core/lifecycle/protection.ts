/** What is not to be deleted: the protected, not at all; the retained, only forgotten. */
import type { App } from "../app.js";
import { EngineError } from "../errors.js";
import { fqnIn } from "../scope/internals.js";
import type { Contents } from "../state/change.js";
import type { ResourceRecord } from "../state/record.js";
import { familyOf } from "./family.js";
import { raise } from "./raise.js";

/** Before anything of it is deleted: one that must stay keeps all the rest that was to go with it. @throws EngineError `PROTECTED` */
export function refuseProtected(app: App, records: readonly ResourceRecord[]): void {
  raise(records.filter(isProtected).map(({ key }) => protectedError(fqnIn(app.root, key), "deleted")));
}

/** @param isProtected as its declaration says now. @throws EngineError `PROTECTED` */
export function refuseReplace(app: App, old: ResourceRecord, isProtectedNow: boolean): void {
  if (isProtectedNow) throw protectedError(fqnIn(app.root, old.key), "replaced");
  refuseProtected(app, familyOf(app.ledger.contents, [old.uid]));
}

/** True where a resource, or one that it is a part of, stays in the world when it is deleted. */
export function isRetained(contents: Contents, record: ResourceRecord): boolean {
  for (let at: ResourceRecord | undefined = record; at; ) {
    if (at.retain) return true;
    at = at.parent === undefined ? undefined : contents.records.get(at.parent);
  }
  return false;
}

function isProtected({ protect }: ResourceRecord): boolean {
  return protect === true;
}

function protectedError(fqn: string, what: "deleted" | "replaced"): EngineError {
  const way =
    what === "deleted"
      ? "To delete it, declare it with { protect: false }, run up, and only then delete it."
      : "Undo the change that replaces it, or declare it with { protect: false }.";
  return new EngineError("PROTECTED", `"${fqn}" is protected, so it is not ${what}. ${way}`, { fqn });
}
