/** Finds sensitive values that an earlier version recorded in the clear. Pure. */

import { type EncodedMembers, isList, memberOf, membersOf, tagOf } from "../../../core/codec/index.js";
import {
  type Encoded,
  folderOf,
  type RecordedResource,
  type RecordedState,
  scopeOwner,
} from "../../../core/contract/index.js";
import type { Finding } from "../../admin/operations/index.js";
import { isSealed } from "../../secrets/password.js";
import { attributesAndBlocks, type Level, namesOf, nestedIn } from "../schema/index.js";

/** A kind of a resource. Schemas of data sources are not recorded. */
const KIND = /^(\S+\/\S+):(\w+)$/;
const PROVIDER_KIND = "terraform:Provider";
const ROOT = "/";

/** A value in the clear, with its path, e.g. `props.secret`. */
interface Clear {
  readonly path: string;
  readonly value: Encoded;
}

/** Returns one finding for each resource with such values. Its key is the key of the record. */
export function valuesInClear(state: RecordedState): readonly Finding[] {
  return clearIn(state).flatMap(([{ key }, clear]) => {
    const paths = clear.map(({ path }) => path);
    return paths.length === 0 ? [] : [exposed(key, [...new Set(paths)].sort())];
  });
}

/** Returns the strings and numbers in such values. */
export function clearTexts(state: RecordedState): readonly (string | number)[] {
  return clearIn(state).flatMap(([, clear]) => clear.flatMap(({ value }) => leavesOf(value)));
}

function clearIn({ records, data }: RecordedState): readonly (readonly [RecordedResource, readonly Clear[]])[] {
  const kept = data.get(ROOT) ?? new Map<string, Encoded>();
  // Cached, because many resources have few kinds.
  const known = new Map<string, readonly Level[]>();
  const levelsFor = ({ kind }: RecordedResource): readonly Level[] => {
    const levels = known.get(kind) ?? levelsOf(kind, kept);
    known.set(kind, levels);
    return levels;
  };
  return [...records.values()].map((record) => {
    if (record.kind === PROVIDER_KIND) return [record, inConfig(record, data)];
    const left = member(data.get(record.uid)?.get("terraform:left"), "output");
    return [record, inResource(record, left, levelsFor(record))];
  });
}

function leavesOf(value: Encoded): readonly (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  return (isListed(value) ? value : Object.values(membersIn(value))).flatMap(leavesOf);
}

function exposed(key: string, paths: readonly string[]): Finding {
  return {
    key,
    level: "exposed",
    problem: `in the clear: ${paths.join(", ")}`,
    advice:
      'Run "engine up" with a password or key to encrypt these values. The history and backups still contain them in the clear, so also replace the values with new ones.',
  };
}

/**
 * Returns clear values of a configuration that the program does not show, also in the copy for deletes in its scope or
 * the root.
 */
function inConfig({ props }: RecordedResource, data: RecordedState["data"]): readonly Clear[] {
  const key = member(props, "key");
  const owners = typeof key === "string" ? [ROOT, scopeOwner(folderOf(key))] : [];
  const copies = owners.map((owner) => data.get(owner)?.get(`terraform:provider:${String(key)}`));
  return [props, ...copies].flatMap((config) => {
    const show = member(config, "show");
    const shown = isListed(show) ? show : [];
    return ["config", "env"].flatMap((part) => {
      const given = member(config, part);
      if (!isClear(given)) return [];
      const clear = Object.entries(membersIn(given)).filter(([name, value]) => isClear(value) && !shown.includes(name));
      return clear.map(([name, value]) => ({ path: `props.${part}.${name}`, value }));
    });
  });
}

function inResource(
  { props, output, lastGood }: RecordedResource,
  left: Encoded | undefined,
  levels: readonly Level[],
): readonly Clear[] {
  const good = { "lastGood.props": lastGood?.props ?? null, "lastGood.output": lastGood?.output ?? null };
  const parts = { props, output: output ?? null, ...good, left: left ?? null };
  const marked = Object.entries(parts).flatMap(([part, value]) =>
    levels.flatMap((level) => below(part, inLevel(level, value))),
  );
  // Secrets of the program that the provider returned in the clear.
  return [...marked, ...below("output", clearAtSecrets(lastGood?.props ?? props, output ?? null))];
}

function below(name: string, all: readonly Clear[]): readonly Clear[] {
  return all.map(({ path, value }) => ({ path: `${name}.${path}`, value }));
}

function inLevel(level: Level, value: Encoded | undefined): readonly Clear[] {
  if (isListed(value)) return value.flatMap((element) => inLevel(level, element));
  const { toProgram } = namesOf(level);
  return attributesAndBlocks(level).flatMap(([name, of]) => {
    const program = toProgram.get(name) ?? name;
    const inner = member(value, program);
    if (!isClear(inner)) return [];
    if ("sensitive" in of && of.sensitive) return [{ path: program, value: inner }];
    const nested = nestedIn(of);
    if (!nested) return [];
    const elements = nested.nesting === "map" ? Object.values(membersIn(inner)) : [inner];
    return elements.flatMap((element) => below(program, inLevel(nested.level, element)));
  });
}

/** Returns clear values of the output at the paths of secrets in the props. */
function clearAtSecrets(props: Encoded | undefined, output: Encoded | undefined): readonly Clear[] {
  if (isListed(props)) {
    const outputs: readonly Encoded[] = isListed(output) ? output : [];
    return props.flatMap((one) => outputs.flatMap((other) => clearAtSecrets(one, other)));
  }
  return Object.entries(membersIn(props)).flatMap(([name, inner]) => {
    const other = member(output, name);
    if (!isClear(other)) return [];
    if (isSealed(inner) || sealedIn(inner) > sealedIn(other)) return [{ path: name, value: other }];
    return below(name, clearAtSecrets(inner, other));
  });
}

/** Returns the recorded schemas of the type of a resource. Its kind holds the name of the type in programs. */
function levelsOf(kind: string, kept: ReadonlyMap<string, Encoded>): readonly Level[] {
  const [, name = "", called = ""] = KIND.exec(kind) ?? [];
  if (called === "") return [];
  const found = [...kept].flatMap(([key, block]) => {
    const [, source = "", type = ""] = /^terraform:schema:(\S+):(\w+):\d+$/.exec(key) ?? [];
    const isOf = source === name || source.endsWith(`/${name}`);
    const level: Level = Object(block);
    return isOf && isCalled(type, called) ? [{ type, level }] : [];
  });
  // `grant_role` ends with the name of `role`, too.
  const shortest = Math.min(...found.map(({ type }) => type.length));
  return found.filter(({ type }) => type.length === shortest).map(({ level }) => level);
}

/** True if a type has this name in programs: in camelCase, mostly without prefix. */
function isCalled(type: string, called: string): boolean {
  const plain = (text: string): string => text.replaceAll("_", "").toLowerCase();
  return plain(type).endsWith(plain(called));
}

function isClear(value: Encoded | undefined): value is Encoded {
  if (value === undefined || value === null || isSealed(value)) return false;
  return tagOf(value) !== "$undefined";
}

/** Returns the number of secrets in a list. */
function sealedIn(value: Encoded): number {
  return isListed(value) ? value.filter(isSealed).length : 0;
}

function member(value: Encoded | undefined, name: string): Encoded | undefined {
  return memberOf(membersIn(value), name);
}

function membersIn(value: Encoded | undefined): EncodedMembers {
  return (value === undefined ? undefined : membersOf(value)) ?? {};
}

function isListed(value: Encoded | undefined): value is readonly Encoded[] {
  return value !== undefined && isList(value);
}
