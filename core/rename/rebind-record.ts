/** Makes the changes that give a record, and all that belongs to it, another name. */
import { below } from "../base/index.js";
import { hasForeign, type ValueLocation } from "../codec/index.js";
import { type Encoded, folderOf, fqnIn, type ResourceRecord, scopeOwner } from "../contract/index.js";
import type { App } from "../run/index.js";
import { scopeAt } from "../scope/index.js";
import type { Change } from "../state/index.js";

/** The record under its new name, with all that it holds. @throws EngineError where what a plugin has bound to its place cannot be read */
export async function movedRecord(app: App, record: ResourceRecord, key: string): Promise<readonly Change[]> {
  const { uid, props, output, lastGood } = record;
  const [from, to] = [placeAt(app, record.key, uid), placeAt(app, key, uid)];
  const set: { -readonly [K in keyof ResourceRecord]?: ResourceRecord[K] } = { key };
  const moved = async (value: Encoded, slot: "props" | "output"): Promise<Encoded> =>
    hasForeign(value) ? rebound(app, value, { ...from, slot }, { ...to, slot }) : value;
  if (hasForeign(props)) set.props = await moved(props, "props");
  if (lastGood) {
    const { props: good, output: former } = lastGood;
    const next = {
      props: await moved(good, "props"),
      ...(former === undefined ? {} : { output: await moved(former, "output") }),
    };
    if (next.props !== good || next.output !== former) set.lastGood = next;
  }
  if (output !== undefined && hasForeign(output)) set.output = await moved(output, "output");
  const changes: Change[] = [{ op: "patch", uid, set }];
  for (const [name, value] of app.ledger.contents.data.get(uid) ?? []) {
    if (!hasForeign(value)) continue;
    const at = { slot: "data", key: name } as const;
    const moved = await rebound(app, value, { ...from, ...at }, { ...to, ...at });
    changes.push({ op: "data", owner: uid, key: name, value: moved });
  }
  return changes;
}

/** Data of the scopes at a path and below it; what a scope has under the same name already stays, and so does the other. @throws EngineError as {@link movedRecord} */
export async function movedData(app: App, before: string, path: string): Promise<readonly Change[]> {
  const inside = below(scopeOwner(before));
  const changes: Change[] = [];
  for (const [owner, values] of [...app.ledger.contents.data].filter(([one]) => inside(one))) {
    const to = renamed(owner, scopeOwner(before), scopeOwner(path));
    const taken = [...values.keys()].filter((name) => app.ledger.readData(to, name) !== undefined);
    for (const [name, value] of values) {
      if (taken.includes(name)) continue;
      changes.push({ op: "data", owner: to, key: name, value: await movedValue(app, owner, to, name, value) });
      if (taken.length > 0) changes.push({ op: "data", owner, key: name });
    }
    if (taken.length === 0) changes.push({ op: "forget", owner });
  }
  return changes;
}

/** A value of a scope's data as it is recorded for another scope, both given as owners. @throws EngineError as {@link movedRecord} */
export async function movedValue(app: App, from: string, to: string, key: string, value: Encoded): Promise<Encoded> {
  if (!hasForeign(value)) return value;
  const at = { slot: "data", key } as const;
  return rebound(app, value, { ...scopeDataAt(app, from), ...at }, { ...scopeDataAt(app, to), ...at });
}

type At = Pick<ValueLocation, "scope" | "fqn" | "owner">;

function placeAt(app: App, key: string, owner: string): At {
  return { scope: scopeAt(app, folderOf(key)), fqn: fqnIn(app.root, key), owner };
}

function scopeDataAt(app: App, owner: string): At {
  const path = owner.slice(scopeOwner("").length);
  return { scope: scopeAt(app, path), fqn: fqnIn(app.root, path), owner };
}

/**
 * What a plugin has bound to the old place is bound to the new one: another scope may have another password. Where
 * nothing about it is new, it is the same as before.
 */
async function rebound(app: App, value: Encoded, from: ValueLocation, to: ValueLocation): Promise<Encoded> {
  return app.codec.encode(await app.codec.decode(value, from), { ...to, before: () => [value] });
}

/** A name that is, or is below, another one. */
export function renamed(name: string, from: string, to: string): string {
  return name === from || name.startsWith(`${from}/`) ? `${to}${name.slice(from.length)}` : name;
}
