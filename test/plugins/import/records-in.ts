/** The records of a state without ids, times and tokens, so that two states can be compared. */

interface Line {
  readonly key: string;
  readonly uid: string;
  readonly output: unknown;
  readonly refs?: readonly string[];
}

export interface ComparedRecord {
  readonly output: unknown;
  readonly [member: string]: unknown;
}

/** @param text of `engine state pull` */
export function recordsIn(text: string): Readonly<Record<string, ComparedRecord>> {
  const { records, data } = JSON.parse(text) as { records: readonly Line[]; data: readonly [string, unknown][] };
  const names = new Map<string, string>();
  for (const { key, uid, output } of records) {
    names.set(uid, `<${key}>`);
    const id = typeof output === "object" && output !== null ? Reflect.get(output, "id") : undefined;
    if (typeof id === "string") names.set(id, `<id of ${key}>`);
  }
  const kept = new Map(data.map(([uid, one]) => [uid, without(one, names)]));
  return Object.fromEntries(
    records.map((one) => {
      const { uid, refs = [], ...rest } = one;
      const own = without(rest, names) as ComparedRecord;
      return [one.key, { ...own, refs: refs.map((ref) => names.get(ref)).sort(), data: kept.get(uid) }];
    }),
  );
}

/**
 * `ready` and `done` are the order of events; `of` is the token of the last change. The program leaves `region` to the
 * provider, which takes another one for each resource.
 */
const OMITTED = ["token", "ready", "done", "of", "region"];

function without(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => without(one, names));
  if (typeof value !== "object" || value === null) return value;
  if (Object.hasOwn(value, "$secret")) return "a secret";
  const members = Object.entries(value).filter(([name]) => !OMITTED.includes(name));
  return Object.fromEntries(members.map(([name, one]) => [name, without(one, names)]));
}
