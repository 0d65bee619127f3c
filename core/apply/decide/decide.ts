/** Decides the action for a declared resource. Pure. */
import {
  type EncodedMembers,
  isList,
  isTagged,
  memberOf,
  membersOf,
  pointerToken,
  presentOf,
  propPath,
  type Same,
  sameEncoded,
  touches,
  unescapeKey,
} from "../../codec/index.js";
import {
  type Encoded,
  isAdoption,
  isOfUnknownOrigin,
  type PropPath,
  type ResourceRecord,
} from "../../contract/index.js";
import { handlersOf, isElsewhere, isSimulated } from "../../handler/index.js";
import type { Operation } from "../../run/index.js";

export interface DecideInput {
  readonly record: ResourceRecord | undefined;
  readonly kind: string;
  /** True if the handlers for local scopes are to create it. */
  readonly local: boolean;
  /** JSON Pointers of the props that differ from the recorded ones. */
  readonly changes: readonly string[];
  readonly force: boolean;
  /** Props whose change replaces: those that the type names, and those of the declaration. */
  readonly replaceOn: readonly PropPath[];
  readonly canUpdate: boolean;
  readonly canRead: boolean;
  /** True if the declared props are those of the last attempt. */
  readonly isRepeated: boolean;
}

export type Decision =
  /** No record, or an adoption without a result, which counts as none. */
  | { readonly action: "create" }
  /** Pending since an earlier version, which did not record if it was an adoption. */
  | { readonly action: "unclaimed" }
  /** A create was interrupted or failed: it may have taken effect. */
  | { readonly action: "resume-create" }
  /** A delete was interrupted: the resource may exist. */
  | { readonly action: "settle-delete" }
  /** The resource may be incomplete, and its type can neither read nor complete it. */
  | { readonly action: "unresolved" }
  | { readonly action: "update"; readonly recovering: boolean }
  | {
      readonly action: "replace";
      readonly reason: "kind" | "local" | "props";
      /** True if an earlier run began to delete the old copy before it created the new one. */
      readonly deleteFirst?: boolean;
    }
  | { readonly action: "unchanged" };

/** Decides the action for a declaration, by its type, its options and its record. */
export function decisionFor(operation: Operation<"compared">, record: ResourceRecord | undefined): Decision {
  const { definition, scope, ref, changes, options, encoded } = operation;
  const { read, update } = handlersOf(definition, scope);
  const [canRead, canUpdate] = [read !== undefined, update !== undefined];
  const local = isSimulated(definition, scope);
  const force = scope.force || options.alwaysUpdate === true;
  const replaceOn = replaceOnOf(operation);
  const isRepeated = record?.deletion !== undefined && changedPaths(record.props, encoded).length === 0;
  return decide({ record, kind: ref.kind, local, changes, force, replaceOn, canUpdate, canRead, isRepeated });
}

/** Returns the paths of props whose change replaces the resource. */
export function replaceOnOf({ definition, options }: Pick<Operation, "definition" | "options">): readonly PropPath[] {
  const { replaceOn } = definition;
  const more = options.replaceOnChanges;
  return more === undefined || more.length === 0 ? replaceOn : [...replaceOn, ...more.map(propPath)];
}

export function decide(input: DecideInput): Decision {
  const { record, kind, changes, force, canUpdate, canRead } = input;
  if (!record || isAdoption(record)) return { action: "create" };
  if (isOfUnknownOrigin(record)) return { action: "unclaimed" };
  if (record.kind !== kind) return replaceOf(record, "kind");
  if (isElsewhere(record, input.local)) return replaceOf(record, "local");
  if (record.status === "deleting") return isStillReplaced(input, record) ? replaceOf(record, "props") : SETTLE;
  if (record.status === "creating") return { action: "resume-create" };
  const recovering = record.status === "updating" || (record.deleteFailed !== undefined && !canRead);
  if (changes.length === 0 && !recovering && !(force && canUpdate)) return { action: "unchanged" };
  if (changes.length === 0 && !canUpdate) return { action: "unresolved" };
  if (mustReplace(input)) return { action: "replace", reason: "props" };
  return { action: "update", recovering };
}

const SETTLE: Decision = { action: "settle-delete" };

/** A delete that a replacement began continues as a part of the replacement. */
function replaceOf(record: ResourceRecord, reason: "kind" | "local" | "props"): Decision {
  return record.deletion?.by === "replace"
    ? { action: "replace", reason, deleteFirst: true }
    : { action: "replace", reason };
}

/**
 * True if the replacement that began the delete is still asked for: by the type, or by an update with the same props.
 */
function isStillReplaced(input: DecideInput, { deletion }: ResourceRecord): boolean {
  if (deletion?.by !== "replace" || input.changes.length === 0) return false;
  return input.isRepeated || mustReplace(input);
}

/** True if the type cannot update, or one of the changed props requires a replacement. */
export function mustReplace(input: Pick<DecideInput, "changes" | "replaceOn" | "canUpdate">): boolean {
  return !input.canUpdate || replacingPath(input) !== undefined;
}

/** Returns the first changed prop that requires a replacement, as a JSON Pointer. */
export function replacingPath({ changes, replaceOn }: Pick<DecideInput, "changes" | "replaceOn">): string | undefined {
  return replaceOn.length === 0 ? undefined : changes.find((at) => replaceOn.some((path) => touches(at, path)));
}

const nothing: readonly string[] = Object.freeze([]);

/**
 * Returns the differences between two encoded values as JSON Pointers in the program's own keys: members of objects and
 * elements of arrays of equal length, at any depth; otherwise the whole value. `""` is the root.
 *
 * @param same called first for values of which one is tagged: the plugin that encoded them can compare better
 */
export function changedPaths(before: Encoded | undefined, after: Encoded | undefined, same?: Same): readonly string[] {
  const from = presentOf(before);
  const to = presentOf(after);
  if (from === undefined || to === undefined) return from === to ? nothing : [""];
  // Nearly always equal: so compare first without paths, and collect paths in a second pass.
  if (sameEncoded(from, to, same)) return nothing;
  const search: Search = { paths: [], same };
  collect(from, to, "", search);
  return search.paths;
}

interface Search {
  readonly paths: string[];
  readonly same: Same | undefined;
}

function collect(before: Encoded, after: Encoded, pointer: string, search: Search): void {
  const members = plainMembersOf(before);
  const others = plainMembersOf(after);
  if (members !== undefined && others !== undefined) collectMembers(members, others, pointer, search);
  else if (isList(before) && isList(after) && before.length === after.length) {
    for (const [index, element] of before.entries()) {
      collect(element, after[index] ?? null, `${pointer}/${index}`, search);
    }
  } else if (!sameEncoded(before, after, search.same)) search.paths.push(pointer);
}

function collectMembers(before: EncodedMembers, after: EncodedMembers, pointer: string, search: Search): void {
  for (const key in before) collectMember(before, after, key, pointer, search);
  for (const key in after) if (!Object.hasOwn(before, key)) collectMember(before, after, key, pointer, search);
}

function collectMember(
  before: EncodedMembers,
  after: EncodedMembers,
  key: string,
  pointer: string,
  search: Search,
): void {
  const member = memberOf(before, key);
  const other = memberOf(after, key);
  if (member === other) return;
  const at = `${pointer}/${pointerToken(unescapeKey(key))}`;
  if (member === undefined || other === undefined) search.paths.push(at);
  else collect(member, other, at, search);
}

function plainMembersOf(encoded: Encoded): EncodedMembers | undefined {
  return isTagged(encoded) ? undefined : membersOf(encoded);
}
