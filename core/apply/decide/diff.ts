import {
  type EncodedMembers,
  isList,
  isTagged,
  memberOf,
  membersOf,
  pointerToken,
  presentOf,
  type Same,
  sameEncoded,
  unescapeKey,
} from "../../codec/index.js";
import type { Encoded } from "../../contract/index.js";

const nothing: readonly string[] = Object.freeze([]);

/**
 * JSON Pointers, in terms of the program's own keys, of what differs between two encoded values: members of objects and elements
 * of arrays of one length, at any depth; else the whole. `""` is the root.
 *
 * @param same asked first about values of which one is tagged: the plugin that encoded them can tell better
 */
export function changedPaths(before: Encoded | undefined, after: Encoded | undefined, same?: Same): readonly string[] {
  const from = presentOf(before);
  const to = presentOf(after);
  if (from === undefined || to === undefined) return from === to ? nothing : [""];
  // Nearly always equal: so look first, without noting where one is, and take a second walk for the paths.
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
