/** Errors of declarations that the engine cannot carry out, because it does not know what is there. */

import { EngineError } from "../base/index.js";
import { type DeletionCause, forgetCommand, type ResourceRecord } from "../contract/index.js";
import { canLook, whyNotDeleted } from "../handler/index.js";
import type { Declaration } from "../run/index.js";

type About = Pick<Declaration, "ref" | "options">;

const COMMANDS: Readonly<Record<DeletionCause, string>> = {
  destroy: "which a destroy began,",
  "engine.destroy": "which engine.destroy() began,",
  prune: "which finalize() began because the program no longer declared it,",
  replace: "which a replacement began,",
};

/** A delete was interrupted, and the type cannot tell whether it took effect. */
export function unknownDelete({ ref, options }: About, record: ResourceRecord, cause?: unknown): EngineError {
  const { deletion, error } = record;
  const { fqn, kind } = ref;
  const which = deletion ? ` ${COMMANDS[deletion.by]}` : "";
  const why = error === undefined ? "was interrupted" : `did not end (${error})`;
  const whose = cause === undefined ? "has no read to tell" : "cannot tell";
  return new EngineError(
    "UNRESOLVED",
    `The delete of "${fqn}",${which} ${why}. "${kind}" ${whose} whether it took effect. ${twoWays(fqn, record, options)}`,
    { fqn, cause },
  );
}

/** The type has no update to complete what a failed delete, or the delete of a child, has left. */
export function incomplete(about: Declaration, record: ResourceRecord): EngineError {
  const { deleteFailed } = record;
  const { fqn, kind } = about.ref;
  if (deleteFailed) {
    const why = canLook(about) ? "no update to complete it" : "neither read nor update to find out what is left";
    const message = `"${fqn}" may be incomplete: ${whyNotDeleted(deleteFailed)}. "${kind}" has ${why}. ${twoWays(fqn, record, about.options)}`;
    return new EngineError("UNRESOLVED", message, { fqn });
  }
  return new EngineError(
    "UNRESOLVED",
    `"${fqn}" is incomplete: one of its children was deleted, or its last update did not end. "${kind}" has no update to complete it. To leave it as it is, run "engine state keep ${fqn}". To make it again, change one of its props, or run "engine destroy --target ${fqn}"; then run up again.`,
    { fqn },
  );
}

function twoWays(...about: Parameters<typeof forgetCommand>): string {
  return `Look for it yourself. If it is gone, run ${forgetCommand(...about)}; if it is there, run "engine state keep ${about[0]}". Then run up again.`;
}
