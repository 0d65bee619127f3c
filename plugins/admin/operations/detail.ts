/** Everything that is recorded about one resource or scope, with values in displayable form. */

import type { Redact } from "../../../core/base/index.js";
import { createCodec } from "../../../core/codec/index.js";
import {
  type Encoded,
  folderOf,
  fqnIn,
  outputsOwner,
  type ResourceRecord,
  scopeOwner,
  type ValueSlot,
} from "../../../core/contract/index.js";
import type { App } from "../../../core/run/index.js";
import { scopeAt } from "../../../core/scope/index.js";
import { renderWhole } from "../../internal/render/render-value.js";
import { compare } from "../../internal/text/name-order.js";
import { fqnsOf, type ListedResource, rowOf } from "./listed.js";
import { fqnOf, knownKey, knownScope, type Naming, notRecorded, scopesIn } from "./recorded-name.js";

/** Everything that is recorded about a resource. */
export interface ResourceDetail extends ListedResource {
  readonly uid: string;
  readonly physicalName: string;
  /** Attempts at the pending action; 0 once it is settled. */
  readonly attempt: number;
  readonly parent?: string;
  readonly children: readonly string[];
  /** FQNs that its props or `dependsOn` refer to. */
  readonly dependsOn: readonly string[];
  /** FQNs of the resources that refer to it. */
  readonly dependents: readonly string[];
  readonly props: unknown;
  /** Props of the last success, if those of the last attempt differ. */
  readonly lastGoodProps?: unknown;
  readonly output?: unknown;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Everything that is recorded about a scope, or about the stage. */
export interface ScopeDetail {
  readonly fqn: string;
  /** FQNs of the scopes and resources directly in it. */
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  /** Outputs that the stage offers to other stages. */
  readonly outputs?: unknown;
}

/** The records under a name: resources, or a scope. */
export interface Detail {
  /** All copies of a name: the present one first, then old ones that are not deleted yet. */
  readonly resources: readonly ResourceDetail[];
  readonly scope?: ScopeDetail;
}

/** @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT`, and all that `show` throws */
export async function detailOf(naming: Naming, name: string, show: ShowValue): Promise<Detail> {
  const key = name.endsWith("/") ? undefined : knownKey(naming, name);
  if (key !== undefined) {
    const copies = [...naming.contents.records.values()].filter((record) => record.key === key);
    copies.sort((one, other) => Number(one.replaced ?? false) - Number(other.replaced ?? false));
    return { resources: await Promise.all(copies.map((record) => resourceDetail(naming, record, show))) };
  }
  const path = knownScope(naming, name);
  if (path === undefined) throw notRecorded(naming, name);
  return { resources: [], scope: await scopeDetail(naming, path, show) };
}

async function resourceDetail(naming: Naming, record: ResourceRecord, show: ShowValue): Promise<ResourceDetail> {
  const { contents } = naming;
  const { uid, key, physicalName, attempt, parent, refs = [], props, lastGood, output } = record;
  const at = { folder: folderOf(key), path: key, owner: uid };
  const dependents = [...contents.records.values()].filter((other) => other.refs?.includes(uid));
  const children = contents.childrenOf(uid);
  const [up] = parent === undefined ? [] : fqnsOf(naming, contents, [parent]);
  return {
    ...rowOf(naming, record),
    uid,
    physicalName,
    attempt,
    ...(up === undefined ? {} : { parent: up }),
    children: fqnsOf(
      naming,
      contents,
      children.map((one) => one.uid),
    ),
    dependsOn: fqnsOf(naming, contents, refs),
    dependents: fqnsOf(
      naming,
      contents,
      dependents.map((one) => one.uid),
    ),
    props: await show(props, { ...at, slot: "props" }),
    ...(lastGood ? { lastGoodProps: await show(lastGood.props, { ...at, slot: "props" }) } : {}),
    ...(output === undefined ? {} : { output: await show(output, { ...at, slot: "output" }) }),
    data: await shownData(contents.data.get(uid), at, show),
  };
}

async function scopeDetail(naming: Naming, path: string, show: ShowValue): Promise<ScopeDetail> {
  const { contents } = naming;
  const at = { folder: path, path, owner: scopeOwner(path) };
  const isIn = (one: string): boolean => one !== "" && folderOf(one) === path;
  const keys = [...new Set([...contents.records.values()].map(({ key }) => key))];
  const offered = path === "" ? contents.data.get(outputsOwner)?.get("outputs") : undefined;
  const location: ValueAt = { ...at, owner: outputsOwner, slot: "data", key: "outputs" };
  return {
    fqn: fqnOf(naming, path),
    scopes: namesOf(naming, [...scopesIn(contents)].filter(isIn)),
    resources: namesOf(naming, keys.filter(isIn)),
    data: await shownData(contents.data.get(at.owner), at, show),
    ...(offered === undefined ? {} : { outputs: await show(offered, location) }),
  };
}

function namesOf(naming: Naming, paths: readonly string[]): readonly string[] {
  return paths.map((path) => fqnOf(naming, path)).sort(compare);
}

async function shownData(
  data: ReadonlyMap<string, Encoded> | undefined,
  at: Omit<ValueAt, "slot" | "key">,
  show: ShowValue,
): Promise<Readonly<Record<string, unknown>>> {
  const names = [...(data ?? [])].sort(([one], [other]) => compare(one, other));
  const values = await Promise.all(names.map(([key, value]) => show(value, { ...at, slot: "data", key })));
  return Object.fromEntries(names.map(([key], index) => [key, values[index]]));
}

/** Location of a recorded value. */
export interface ValueAt {
  /** Path of the scope whose options apply to it. */
  readonly folder: string;
  /** Path of the resource or scope that it belongs to. */
  readonly path: string;
  readonly owner: string;
  readonly slot: ValueSlot;
  /** Key of a value in data. */
  readonly key?: string;
}

/** Converts a value to JSON. */
export type ShowValue = (encoded: Encoded, at: ValueAt) => unknown;

const codec = createCodec({ decodeValue: ({ tag }) => ({ value: `(${tag.slice(1)})` }) });

/** Names values that plugins encoded, e.g. "(secret)", instead of decoding them, so no password is needed. */
export function masked(redact: Redact): ShowValue {
  return (encoded) => renderWhole(decodedMasked(encoded), redact);
}

/** Returns the value, with a text such as "(secret)" in place of values that plugins encoded. */
export function decodedMasked(encoded: Encoded): unknown {
  return codec.decode(encoded);
}

/**
 * Decodes the values that plugins encoded.
 *
 * @param own an app that has loaded the state
 * @param reveal returns the contents of a decoded value
 */
export function revealed(own: App, reveal: (value: unknown) => unknown): ShowValue {
  return async (encoded, { folder, path, owner, slot, key }) => {
    const fqn = path === "" ? own.root.chain.join("/") : fqnIn(own.root, path);
    const value = await own.codec.decode(encoded, { scope: scopeAt(own, folder), fqn, owner, slot, key });
    return renderWhole(reveal(value), (text) => text);
  };
}
