/** What is to be done about a declaration, by its type, its options and what is recorded. Pure. */
import { propPath } from "../../codec/index.js";
import type { PropPath, ResourceRecord } from "../../contract/index.js";
import { handlersOf, isSimulated } from "../../handler/index.js";
import type { Compared } from "../../run/index.js";
import { type Decision, decide } from "./decide.js";

export function choose(compared: Compared, record: ResourceRecord | undefined): Decision {
  const { definition, scope, ref, changes, options } = compared;
  const canUpdate = handlersOf(definition, scope).update !== undefined;
  const local = isSimulated(definition, scope);
  const force = scope.force || options.alwaysUpdate === true;
  return decide({ record, kind: ref.kind, local, changes, force, replaceOn: replaceOnOf(compared), canUpdate });
}

/** Paths of props whose change replaces the resource. */
export function replaceOnOf({ definition, options }: Pick<Compared, "definition" | "options">): readonly PropPath[] {
  const { replaceOn } = definition;
  const more = options.replaceOnChanges;
  return more === undefined || more.length === 0 ? replaceOn : [...replaceOn, ...more.map(propPath)];
}
