import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";
import { type ResourceRecord, shaped } from "../../../core/contract/index.js";
import { type Change, Contents } from "../../../core/state/index.js";
import { fc } from "../../helpers/checks/generated.js";
import { recordAt } from "../../helpers/stores/ledgers.js";

function folded(...changes: Change[]): Contents {
  const contents = new Contents();
  for (const change of changes) contents.apply(change);
  return contents;
}

const put = (key: string, members = {}): Change => ({ op: "put", record: recordAt(key, members) });
const data = (owner: string, key: string, value?: number): Change => ({ op: "data", owner, key, value });

/** True if objects have the same hidden class, which makes the code that reads them several times as fast. */
function haveOneShape(a: object | undefined, b: object | undefined): boolean {
  setFlagsFromString("--allow-natives-syntax");
  return new Function("a", "b", "return %HaveSameMap(a, b)")(a, b);
}

/** Everything in the contents, for comparing. */
function all(contents: Contents): unknown {
  const records = [...contents.records.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1));
  const owners = [...contents.data].map(([owner, values]) => [owner, [...values].sort()]).sort();
  return JSON.parse(
    JSON.stringify({ records, owners, at: ["a", "b", "c"].map((key) => contents.at(key)?.uid ?? null) }),
  );
}

describe("put", () => {
  it("records a resource under its key and its uid", () => {
    const contents = folded(put("a"));
    expect(contents.at("a")).toBe(contents.records.get("uid-a"));
    expect(contents.at("b")).toBeUndefined();
  });

  it("gives the key to the newest record, and leaves the one before to its uid", () => {
    const contents = folded(put("a"), put("a", { uid: "new" }));
    expect(contents.at("a")?.uid).toBe("new");
    expect(contents.records.has("uid-a")).toBe(true);
  });

  it("leaves a key alone for an old copy that waits for its deletion", () => {
    const contents = folded(put("a"), put("a", { uid: "old", replaced: true }));
    expect(contents.at("a")?.uid).toBe("uid-a");
  });

  it("takes a record that moved away from its old key", () => {
    const contents = folded(put("a"), put("b", { uid: "uid-a" }));
    expect(contents.at("a")).toBeUndefined();
    expect(contents.at("b")?.uid).toBe("uid-a");
  });
});

describe("patch", () => {
  it("merges some members and takes others away", () => {
    const set = { status: "updating", error: "no" } as const;
    const contents = folded(put("a"), { op: "patch", uid: "uid-a", set, unset: ["output"] });
    expect(contents.at("a")).toEqual({ ...recordAt("a"), ...set, output: undefined });
    expect(JSON.parse(JSON.stringify(contents.at("a")))).not.toHaveProperty("output");
  });

  it("makes an old copy of a record, whose key is free then", () => {
    const contents = folded(put("a"), { op: "patch", uid: "uid-a", set: { replaced: true } });
    expect(contents.at("a")).toBeUndefined();
    expect(contents.records.get("uid-a")?.replaced).toBe(true);
  });

  it("does nothing to a record that is gone", () => {
    expect(folded({ op: "patch", uid: "uid-a", set: { status: "ready" } }).isEmpty).toBe(true);
  });

  it("does not touch the record that others hold", () => {
    const contents = folded(put("a"));
    const before = contents.at("a");
    contents.apply({ op: "patch", uid: "uid-a", set: { error: "no" } });
    expect(before).toEqual(recordAt("a"));
  });
});

describe("a record that has changed", () => {
  const patch = { op: "patch", uid: "uid-a", set: { status: "ready", output: { size: 1 } }, unset: ["since"] } as const;

  it.each<[string, readonly Change[]]>([
    ["patched", [patch]],
    ["patched twice", [patch, patch]],
    ["placed", [{ op: "place", at: [{ uid: "uid-a", ready: [7], done: [8] }] }]],
  ])("is of one shape with those that were loaded: %s", (_, changes) => {
    const loaded = shaped(recordAt("b"));
    const contents = folded({ op: "put", record: shaped(recordAt("a")) }, ...changes);
    expect(contents.at("a")).not.toEqual(shaped(recordAt("a")));
    expect(haveOneShape(contents.at("a"), loaded)).toBe(true);
    expect(haveOneShape({ ...loaded, more: 1 }, loaded)).toBe(false);
  });
});

describe("drop", () => {
  it("takes a record away, and the data that belongs to it", () => {
    const contents = folded(put("a"), data("uid-a", "n", 1), { op: "drop", uid: "uid-a" });
    expect(contents.isEmpty).toBe(true);
    expect(contents.at("a")).toBeUndefined();
  });

  it("leaves the key to the record that replaced it", () => {
    const contents = folded(put("a", { replaced: true }), put("a", { uid: "new" }), { op: "drop", uid: "uid-a" });
    expect(contents.at("a")?.uid).toBe("new");
  });

  it("leaves a scope's data, and other records'", () => {
    const contents = folded(put("a"), data("/", "n", 1), data("uid-b", "n", 2), { op: "drop", uid: "uid-a" });
    expect([...contents.data.keys()]).toEqual(["/", "uid-b"]);
  });

  it("takes away data that came after the record had gone", () => {
    expect(folded(data("uid-a", "n", 1), { op: "drop", uid: "uid-a" }).isEmpty).toBe(true);
  });
});

describe("place", () => {
  it("moves resources in the order of the program", () => {
    const at = [
      { uid: "uid-a", ready: [5], done: [6] },
      { uid: "uid-b", ready: [7] },
      { uid: "gone", ready: [8] },
    ];
    const contents = folded(put("a"), put("b"), { op: "place", at });
    expect(contents.at("a")).toMatchObject({ ready: [5], done: [6] });
    expect(contents.at("b")).toMatchObject({ ready: [7], done: [2] });
    expect(contents.records.size).toBe(2);
  });
});

describe("data", () => {
  it("sets values, deletes them, and forgets an owner that has none left", () => {
    const contents = folded(data("/", "n", 1), data("/", "m", 2), data("/", "n"));
    expect([...(contents.data.get("/") ?? [])]).toEqual([["m", 2]]);
    contents.apply(data("/", "m"));
    expect(contents.isEmpty).toBe(true);
  });

  it("forgets all of an owner's at once", () => {
    expect([...folded(data("/", "n", 1), data("/x", "n", 1), { op: "forget", owner: "/" }).data.keys()]).toEqual([
      "/x",
    ]);
  });

  it("keeps null, false and zero", () => {
    expect(folded({ op: "data", owner: "/", key: "n", value: null }).data.get("/")?.has("n")).toBe(true);
  });
});

describe("a copy", () => {
  it("changes on its own, and leaves the original as it was", () => {
    const original = folded(put("a"), data("/", "n", 1));
    const before = all(original);
    const copy = original.copy();
    expect(all(copy)).toEqual(before);
    for (const change of [put("b"), { op: "drop", uid: "uid-a" } as const, data("/", "n"), data("/", "m", 2)]) {
      copy.apply(change);
    }
    expect(all(original)).toEqual(before);
    expect(copy.at("a")).toBeUndefined();
  });
});

const uid = fc.constantFrom("u1", "u2", "u3");
const key = fc.constantFrom("a", "b", "c");
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ key, uid, replaced: fc.constantFrom(true, undefined) }).map(({ key: k, ...more }) => put(k, more)),
  fc.record({ uid, error: fc.string() }).map(({ uid: u, error }): Change => ({ op: "patch", uid: u, set: { error } })),
  uid.map((u): Change => ({ op: "patch", uid: u, unset: ["error"] })),
  uid.map((u): Change => ({ op: "patch", uid: u, set: { replaced: true } })),
  uid.map((u): Change => ({ op: "drop", uid: u })),
  uid.map((u): Change => ({ op: "place", at: [{ uid: u, ready: [9] }] })),
  fc.tuple(uid, fc.nat(3)).map(([owner, value]) => data(owner, "n", value || undefined)),
  uid.map((owner): Change => ({ op: "forget", owner })),
);

describe("any changes", () => {
  it("fold to the same after a copy, and after going through JSON", () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(change), (before, after) => {
        const straight = folded(...before, ...after);
        const copied = folded(...before).copy();
        for (const one of after) copied.apply(one);
        const read: Change[] = JSON.parse(JSON.stringify([...before, ...after]));
        expect(all(copied)).toEqual(all(straight));
        expect(all(folded(...read))).toEqual(all(straight));
      }),
    );
  });

  it("change nothing when they are applied to their own outcome", () => {
    // An append whose answer was lost may be folded from the journal, and then again from the queue.
    fc.assert(
      fc.property(fc.array(change), fc.array(change), (before, changes) => {
        const contents = folded(...before, ...changes);
        const once = all(contents);
        for (const one of changes) contents.apply(one);
        expect(all(contents)).toEqual(once);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("records are found, whatever has changed since the first lookup", () => {
  const uids = ["a", "b", "c", "d", "e", "f"];
  const anyUid = fc.constantFrom(...uids);
  const anyKey = fc.constantFrom("x", "y", "in/x", "in/y", "in", "in/deep/x", "inner/x");
  const refs = fc.option(fc.uniqueArray(anyUid, { maxLength: 3 }), { nil: undefined });
  const parent = fc.option(anyUid, { nil: undefined });
  const replaced = fc.option(fc.constant(true as const), { nil: undefined });
  const record = fc.record({ uid: anyUid, refs, parent, replaced });
  const putAny = fc.tuple(anyKey, record).map(([at, members]) => put(at, members));
  const set = fc.record({ key: anyKey, refs, parent }, { requiredKeys: [] });
  const anyChange = fc.oneof(
    putAny,
    putAny,
    fc.record({ uid: anyUid, set }).map((given): Change => ({ op: "patch", ...given })),
    anyUid.map((given): Change => ({ op: "drop", uid: given })),
  );
  const namesOf = (records: Iterable<ResourceRecord>): string[] => [...records].map((each) => each.uid).sort();

  const look = (contents: Contents) => {
    const where = (is: (record: ResourceRecord) => boolean) => namesOf([...contents.records.values()].filter(is));
    for (const path of ["x", "in", "in/x", "in/deep", "inner", "none"]) {
      expect(namesOf(contents.copiesOf(path))).toEqual(where((each) => each.key === path));
      expect(namesOf(contents.recordsBelow(path))).toEqual(where((each) => each.key.startsWith(`${path}/`)));
    }
    expect(namesOf(contents.recordsBelow(""))).toEqual(where(() => true));
    for (const one of uids) {
      const needs = (each: ResourceRecord): boolean => each.parent === one || each.refs?.includes(one) === true;
      expect(namesOf(contents.dependentsOf(one))).toEqual(where(needs));
    }
  };

  it("under their names, in scopes, and by what they refer to", () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 12 }), fc.array(anyChange, { maxLength: 12 }), (before, after) => {
        const contents = new Contents();
        for (const each of before) contents.apply(each);
        look(contents);
        for (const each of after) {
          contents.apply(each);
          look(contents);
        }
      }),
    );
  });
});
