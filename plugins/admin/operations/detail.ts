/** All that is recorded of one resource, or of one scope, with its values as people may see them. */

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
import { compare, fqnsOf, type ListedResource, rowOf } from "./listed.js";
import { fqnOf, knownKey, knownScope, type Naming, notRecorded, scopesIn } from "./recorded-name.js";

/** All that is recorded of a resource. */
export interface ResourceDetail extends ListedResource {
  readonly uid: string;
  readonly physicalName: string;
  /** Attempts at the present intent; 0 once it is settled. */
  readonly attempt: number;
  readonly parent?: string;
  readonly children: readonly string[];
  /** What its props or `dependsOn` refer to, by name. */
  readonly dependsOn: readonly string[];
  /** What refers to it. */
  readonly dependents: readonly string[];
  readonly props: unknown;
  /** Props of the last success, where those of the last attempt are others. */
  readonly lastGoodProps?: unknown;
  readonly output?: unknown;
  readonly data: Readonly<Record<string, unknown>>;
}

/** All that is recorded of a scope, or of the stage. */
export interface ScopeDetail {
  readonly fqn: string;
  /** FQNs of the scopes and resources that are directly in it. */
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  /** What the stage offers to others. */
  readonly outputs?: unknown;
}

/** What is recorded under a name: resources, or a scope. */
export interface Detail {
  /** All copies of a name: the present one first, then old ones that wait for their deletion. */
  readonly resources: readonly ResourceDetail[];
  readonly scope?: ScopeDetail;
}

/** @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT`, and what `show` throws */
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

/** Where a recorded value stands. */
export interface ValueAt {
  /** Path of the scope whose options hold for it. */
  readonly folder: string;
  /** Path of the resource or scope that it is of. */
  readonly path: string;
  readonly owner: string;
  readonly slot: ValueSlot;
  /** In data. */
  readonly key?: string;
}

/** A value as JSON. */
export type ShowValue = (encoded: Encoded, at: ValueAt) => unknown;

const codec = createCodec({ decodeValue: ({ tag }) => ({ value: `(${tag.slice(1)})` }) });

/** What plugins have encoded is named only, e.g. "(secret)": nobody is asked for a password. */
export function masked(redact: Redact): ShowValue {
  return (encoded) => renderWhole(decodedMasked(encoded), redact);
}

/** The value, with a text such as "(secret)" in place of what plugins have encoded. */
export function decodedMasked(encoded: Encoded): unknown {
  return codec.decode(encoded);
}

/**
 * With what plugins have encoded, in clear.
 *
 * @param own an app that has loaded the state
 * @param reveal gives what a decoded value holds
 */
export function revealed(own: App, reveal: (value: unknown) => unknown): ShowValue {
  return async (encoded, { folder, path, owner, slot, key }) => {
    const fqn = path === "" ? own.root.chain.join("/") : fqnIn(own.root, path);
    const value = await own.codec.decode(encoded, { scope: scopeAt(own, folder), fqn, owner, slot, key });
    return renderWhole(reveal(value), (text) => text);
  };
}
