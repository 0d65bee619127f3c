import { describe, expect, test } from "vitest";
import type { ResourceRecord } from "../../../core/contract/index.js";
import { descendantsOf, findOrphans } from "../../../core/order/index.js";
import { Contents } from "../../../core/state/index.js";

/** A record whose uid is its key, unless it is an old copy. */
function record(key: string, more: Partial<ResourceRecord> = {}): ResourceRecord {
  const uid = more.replaced ? `old ${key}` : key;
  return {
    key,
    uid,
    kind: "K",
    status: "ready",
    props: {},
    physicalName: key,
    token: "t",
    attempt: 0,
    ready: [1],
    ...more,
  };
}

const tree = [
  record("a"),
  record("a/b", { parent: "a" }),
  record("a/b/c", { parent: "a/b" }),
  record("a/d", { parent: "a" }),
  record("e"),
];

describe("familyOf", () => {
  const namesOf = (uids: string[], records = tree) => {
    const contents = new Contents();
    for (const each of records) contents.apply({ op: "put", record: each });
    return descendantsOf(contents, uids).map(({ uid }) => uid);
  };

  test.each<[string, string[], string[]]>([
    ["a child and its child", ["a/b"], ["a/b/c"]],
    ["all levels, each child before its own", ["a"], ["a/b", "a/b/c", "a/d"]],
    ["nothing of a resource without children", ["e"], []],
    ["nothing of an unknown uid", ["x"], []],
    ["each member once, where families overlap", ["a", "a/b"], ["a/b", "a/b/c", "a/d"]],
    ["nothing of nobody", [], []],
  ])("gives %s", (_, uids, family) => {
    expect(namesOf(uids)).toEqual(family);
  });

  test("knows children by uid and not by key", () => {
    expect(namesOf(["e"], [record("e"), record("e/f")])).toEqual([]);
    expect(namesOf(["e"], [record("e"), record("x", { parent: "e" })])).toEqual(["x"]);
  });

  test("includes old copies", () => {
    expect(namesOf(["a"], [record("a"), record("a/b", { parent: "a", replaced: true })])).toEqual(["old a/b"]);
  });

  test("ends on records that are each other's parents", () => {
    expect(namesOf(["a"], [record("a", { parent: "b" }), record("b", { parent: "a" })])).toEqual(["b"]);
  });
});

describe("findOrphans", () => {
  const orphansOf = (records: ResourceRecord[], declared: string[]) => {
    const byUid = new Map(records.map((each) => [each.uid, each]));
    return findOrphans(byUid, (key) => declared.includes(key)).map(({ uid }) => uid);
  };

  test.each<[string, ResourceRecord[], string[], string[]]>([
    ["nothing that is declared", tree, ["a", "a/b", "a/b/c", "a/d", "e"], []],
    ["what is not declared", [record("a"), record("s/b")], ["a"], ["s/b"]],
    ["no child of a resource that is declared: its handler may not have run", tree, ["a", "e"], []],
    [
      "a child that its parent's handler no longer declares",
      [record("a"), record("a/b", { parent: "a", dropped: true })],
      ["a"],
      ["a/b"],
    ],
    ["no child that is declared again", [record("a"), record("a/b", { parent: "a", dropped: true })], ["a", "a/b"], []],
    ["all levels below an orphan", tree, ["e"], ["a", "a/b", "a/b/c", "a/d"]],
    [
      "the children of a dropped child",
      [record("a"), record("a/b", { parent: "a", dropped: true }), record("a/b/c", { parent: "a/b" })],
      ["a"],
      ["a/b", "a/b/c"],
    ],
    ["a child whose parent is not recorded", [record("a/b", { parent: "gone" })], [], ["a/b"]],
    ["no old copies: those are no question of being declared", [record("a", { replaced: true })], [], []],
    ["everything of a program that declares nothing", tree, [], ["a", "a/b", "a/b/c", "a/d", "e"]],
  ])("finds %s", (_, records, declared, orphans) => {
    expect(orphansOf(records, declared)).toEqual(orphans);
  });
});
