/**
 * Gives plugins access to the state of a stage: the data under their name, and all values of one tag for replacement.
 */

import { isList, membersOf, type Path, pointerOf, setMember, tagOf, unescapeKey } from "../codec/index.js";
import {
  type Encoded,
  isPluginOwner,
  isResourceOwner,
  isScopeOwner,
  type PluginState,
  pluginOwner,
  type Replace,
  type ResourceRecord,
  scopeOwner,
  type Tagged,
} from "../contract/index.js";
import type { Change, Contents } from "./change.js";
import type { Ledger } from "./ledger.js";

interface Walk {
  readonly tag: string;
  readonly replace: Replace;
  readonly at: Pick<Tagged, "owner" | "slot" | "fqn">;
}

/** The data that a plugin keeps under its name. */
export class KeptData implements PluginState {
  readonly #ledger: Ledger;
  readonly #owner: string;

  constructor(ledger: Ledger, plugin: string) {
    this.#ledger = ledger;
    this.#owner = pluginOwner(plugin);
  }

  get lineage() {
    return this.#ledger.readLineage();
  }

  get keys() {
    return [...(this.#ledger.contents.data.get(this.#owner)?.keys() ?? [])];
  }

  get(key: string) {
    return this.#ledger.readData(this.#owner, key);
  }

  set(...[key, value, sealer]: Parameters<PluginState["set"]>) {
    const change = { op: "data", owner: this.#owner, key, ...(value !== undefined && { value }) } as const;
    this.#ledger.piggyback(change, sealer);
  }
}

/**
 * Replaces every recorded value of one tag. Pure.
 *
 * @param root name of the stage as FQNs begin with it, e.g. `app/dev`
 */
export function rewritten(contents: Contents, root: string, tag: string, replace: Replace): readonly Change[] {
  return [
    ...[...contents.records.values()].flatMap((record) => rewriteRecord(record, root, tag, replace)),
    ...[...contents.data].flatMap(([owner, values]) => {
      if (isPluginOwner(owner)) return [];
      const at = { owner, slot: "data", fqn: fqnOf(contents, root, owner) } as const;
      return [...values].flatMap(([key, value]): Change[] => {
        const next = walkTree(value, { tag, replace, at }, [key]);
        return next === value ? [] : [{ op: "data", owner, key, value: next }];
      });
    }),
  ];
}

function fqnOf({ records }: Contents, root: string, owner: string): string {
  if (isResourceOwner(owner)) return `${root}/${records.get(owner)?.key ?? owner}`;
  return isScopeOwner(owner) && owner !== scopeOwner("") ? `${root}${owner}` : root;
}

function rewriteRecord(record: ResourceRecord, root: string, tag: string, replace: Replace): Change[] {
  const { uid, key, props, output, lastGood } = record;
  const at = { owner: uid, fqn: `${root}/${key}` };
  const inProps = (encoded: Encoded): Encoded => walkTree(encoded, { tag, replace, at: { ...at, slot: "props" } }, []);
  const nextProps = inProps(props);
  const inOutput = (encoded: Encoded): Encoded =>
    walkTree(encoded, { tag, replace, at: { ...at, slot: "output" } }, []);
  const nextOutput = output === undefined ? output : inOutput(output);
  const set: { -readonly [K in "props" | "output" | "lastGood"]?: ResourceRecord[K] } = {};
  if (nextProps !== props) set.props = nextProps;
  if (nextOutput !== output && nextOutput !== undefined) set.output = nextOutput;
  if (lastGood) {
    const { props: good, output: left } = lastGood;
    const next = { props: inProps(good), ...(left === undefined ? {} : { output: inOutput(left) }) };
    if (next.props !== good || next.output !== left) set.lastGood = next;
  }
  return Object.keys(set).length > 0 ? [{ op: "patch", uid, set }] : [];
}

/** Returns the same tree if nothing in it is replaced. */
function walkTree(tree: Encoded, walk: Walk, path: Path): Encoded {
  if (isList(tree)) return walkList(tree, walk, path);
  const members = membersOf(tree);
  if (members === undefined) return tree;
  const tag = tagOf(tree);
  if (tag === walk.tag) {
    return walk.replace({ ...walk.at, tag, body: members[tag] ?? null, path: pointerOf(path) }) ?? tree;
  }
  let copy: Record<string, Encoded> | undefined;
  for (const [key, member] of Object.entries(members)) {
    // The body of a tag is at the path of the tag itself.
    const next = walkTree(member, walk, tag === undefined ? [...path, unescapeKey(key)] : path);
    if (next === member) continue;
    copy ??= { ...members };
    setMember(copy, key, next);
  }
  return copy ?? tree;
}

function walkList(list: readonly Encoded[], walk: Walk, path: Path): Encoded {
  let copy: Encoded[] | undefined;
  for (const [index, element] of list.entries()) {
    const next = walkTree(element, walk, [...path, index]);
    if (next === element) continue;
    copy ??= [...list];
    copy[index] = next;
  }
  return copy ?? list;
}
