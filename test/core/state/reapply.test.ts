import { describe, expect, it } from "vitest";
import { type Change, Contents } from "../../../core/state/index.js";
import { reapply } from "../../../core/state/recovery/recover.js";
import { resultsOf } from "../../../core/state/recovery/recovery.js";
import { recordAt } from "../../helpers/stores/ledgers.js";

const creating = recordAt("a", { status: "creating", attempt: 1, output: undefined, done: undefined });
const created: Change = {
  op: "patch",
  uid: "uid-a",
  set: { status: "ready", output: { name: "made" }, attempt: 0, done: [5] },
  unset: ["error"],
};
const dropped = (uid: string): Change => ({ op: "drop", uid });
const data = (owner: string, key: string, value: number): Change => ({ op: "data", owner, key, value });

function contentsOf(...changes: Change[]): Contents {
  const contents = new Contents();
  for (const change of changes) contents.apply(change);
  return contents;
}

const puts = (...records: Parameters<typeof putOf>[0][]): Change[] => records.map(putOf);
function putOf(record: ReturnType<typeof recordAt>): Change {
  return { op: "put", record };
}

/** Counts of applicable, known and stale results. */
function outcome(contents: Contents, results: ReturnType<typeof resultsOf>): number[] {
  const { applicable, known, stale } = reapply(contents, results);
  return [applicable.length, known.length, stale.length];
}

/** Applies results to a state that did not change since, and counts them there again. */
function made(before: Contents, unwritten: Change[][]): { readonly after: Contents; readonly results: number } {
  const results = resultsOf(unwritten, before);
  expect(outcome(before, results)).toEqual([results.length, 0, 0]);
  const after = before.copy();
  for (const change of results.flatMap(({ changes }) => changes)) after.apply(change);
  expect(reapply(after, results).applicable).toEqual([]);
  expect(outcome(after, results)).toEqual([0, results.length, 0]);
  return { after, results: results.length };
}

describe("what a run leaves that could not record its results", () => {
  it("is the end of each durable intent, and data; no intent, no place in the order, nothing that is only rewired", () => {
    const before = contentsOf(...puts(creating, recordAt("settled")));
    const results = resultsOf(
      [
        [created],
        puts(recordAt("b", { status: "creating" })),
        [{ op: "patch", uid: "uid-settled", set: { status: "deleting", attempt: 1 } }],
        [{ op: "patch", uid: "uid-settled", set: { refs: ["uid-a"] } }],
        [{ op: "place", at: [{ uid: "uid-settled", ready: [9] }] }],
        [dropped("uid-settled")],
        [data("/", "n", 1)],
      ],
      before,
    );
    expect(results.map(({ changes }) => changes)).toEqual([[data("/", "n", 1)], [created]]);
  });

  it("is not a replacement that was only intended, though its old copy is settled", () => {
    const old = recordAt("a");
    const unwritten = [...puts({ ...old, replaced: true }, { ...creating, uid: "uid-new", replaces: old.uid })];
    expect(resultsOf([unwritten], contentsOf(...puts(old)))).toEqual([]);
  });

  it("is, with the end of a whole, what its handler has declared again", () => {
    const part = recordAt("a/p", { parent: "uid-a", dropped: true });
    const before = contentsOf(...puts(creating, part, recordAt("moved"), recordAt("other", { dropped: true })));
    const declared = (uid: string, parent?: string): Change => ({
      op: "patch",
      uid,
      set: { parent },
      unset: ["dropped"],
    });
    const unwritten = [
      [declared(part.uid, "uid-a")],
      [declared("uid-moved", "uid-a")],
      [declared("uid-other")],
      [created],
    ];
    const { after } = made(before, unwritten);
    expect([after.at("a/p"), after.at("moved")].map((record) => record?.parent)).toEqual(["uid-a", "uid-a"]);
    expect([after.at("a/p")?.dropped, after.at("other")?.dropped]).toEqual([undefined, true]);
    const meanwhile = before.copy();
    meanwhile.apply(dropped(part.uid));
    expect(outcome(meanwhile, resultsOf(unwritten, before))).toEqual([0, 0, 1]);
  });

  it("is not data of a resource that was never recorded, or is gone", () => {
    const before = contentsOf(...puts({ ...creating, status: "deleting" }));
    const results = resultsOf([[data("uid-x", "n", 1)], [data("uid-a", "n", 1)], [dropped("uid-a")]], before);
    expect(results.map(({ changes }) => changes)).toEqual([[dropped("uid-a")]]);
  });
});

describe("a result is made up for, and found to be there the next time", () => {
  it.each<[string, Change[], Change[][]]>([
    ["a create", puts(creating), [[created]]],
    ["a failure", puts(creating), [[{ op: "patch", uid: "uid-a", set: { error: "no" } }]]],
    ["a delete", puts({ ...creating, status: "deleting" }), [[dropped("uid-a")]]],
    ["a handler that never started", puts(creating), [[dropped("uid-a")]]],
    ["an update that never started", puts({ ...creating, status: "updating" }), [puts(recordAt("a"))]],
    ["data of a scope", [data("/", "n", 1)], [[data("/", "n", 2)], [data("/", "n", 3)], [data("/", "m", 1)]]],
    ["data that is gone", [data("/s", "n", 1)], [[{ op: "forget", owner: "/s" }]]],
    ["a create with its data", puts(creating), [[data("uid-a", "n", 1)], [created]]],
  ])("%s", (_, before, unwritten) => {
    expect(made(contentsOf(...before), unwritten).results).toBeGreaterThan(0);
  });

  it("a replacement that never started leaves the old copy where it was", () => {
    const old = recordAt("a");
    const child = recordAt("a/child", { parent: old.uid });
    const replacing = { ...creating, uid: "uid-new", replaces: old.uid };
    const before = contentsOf(...puts({ ...old, replaced: true }, { ...child, replaced: true }, replacing));
    const { after } = made(before, [[dropped("uid-new"), ...puts(old, child)]]);
    expect([after.at("a"), after.at("a/child")]).toEqual([old, child]);
  });

  it("the deletion of an old copy, whose successor is a replacement no more", () => {
    const old = recordAt("a", { uid: "uid-old", replaced: true, status: "deleting", attempt: 1 });
    const before = contentsOf(...puts(old, recordAt("a", { replaces: "uid-old" })));
    const { after } = made(before, [[dropped("uid-old"), { op: "patch", uid: "uid-a", unset: ["replaces"] }]]);
    expect(after.at("a")?.replaces).toBeUndefined();
  });
});

describe("a result is left where something else was done since", () => {
  const results = resultsOf([[created]], contentsOf(...puts(creating)));

  it.each<[string, Change[]]>([
    ["the create was begun again", puts({ ...creating, attempt: 2 })],
    ["with other props", puts({ ...creating, token: "another" })],
    ["it has other results", puts(recordAt("a"))],
    ["it is being deleted", puts({ ...creating, status: "deleting" })],
    ["it stands elsewhere in the order", puts({ ...creating, ready: [7] })],
    ["the record is gone", []],
    ["the resource is another", puts({ ...creating, uid: "uid-other" })],
  ])("%s", (_, now) => {
    expect(outcome(contentsOf(...now), results)).toEqual([0, 0, 1]);
  });

  it("all of what was done together, where one part of it does not apply", () => {
    const old = recordAt("a", { uid: "uid-old" });
    const replacing = { ...creating, replaces: "uid-old" };
    const before = contentsOf(...puts({ ...old, replaced: true }, replacing));
    const undone = resultsOf([[dropped("uid-a"), ...puts(old)]], before);
    const now = contentsOf(...puts({ ...old, replaced: true }, { ...replacing, attempt: 2 }));
    expect(outcome(now, undone)).toEqual([0, 0, 1]);
  });

  it("a record whose key another one has now", () => {
    const undone = resultsOf([puts(recordAt("a"))], contentsOf(...puts({ ...creating, status: "updating" })));
    const now = contentsOf(...puts({ ...creating, status: "updating" }, recordAt("a", { uid: "uid-other" })));
    expect(outcome(now, undone)).toEqual([0, 0, 1]);
  });

  it.each<[string, Change[]]>([
    ["the same key was written", [data("/", "n", 7)]],
    ["another key of the owner was", [data("/", "n", 1), data("/", "m", 1)]],
    ["all of it is gone", []],
  ])("data, where %s", (_, now) => {
    const set = resultsOf([[data("/", "n", 2)]], contentsOf(data("/", "n", 1)));
    expect(outcome(contentsOf(...now), set)).toEqual([0, 0, 1]);
  });

  it("data of a resource that was begun again", () => {
    const set = resultsOf([[data("uid-a", "n", 2)]], contentsOf(...puts(creating)));
    expect(outcome(contentsOf(...puts({ ...creating, attempt: 2 })), set)).toEqual([0, 0, 1]);
  });
});
