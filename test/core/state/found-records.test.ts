import { describe, expect, test } from "vitest";
import type { ResourceRecord } from "../../../core/contract/index.js";
import { type Change, Contents } from "../../../core/state/index.js";
import { fc } from "../../helpers/checks/generated.js";

const uids = ["a", "b", "c", "d", "e", "f"];
const uid = fc.constantFrom(...uids);
const key = fc.constantFrom("x", "y", "in/x", "in/y", "in", "in/deep/x", "inner/x");
const refs = fc.option(fc.uniqueArray(uid, { maxLength: 3 }), { nil: undefined });
const parent = fc.option(uid, { nil: undefined });

const record = fc.record({ uid, key, refs, parent, replaced: fc.option(fc.constant(true), { nil: undefined }) });
const put = record.map(
  (given): Change => ({
    op: "put",
    record: {
      kind: "t:Thing",
      status: "ready",
      props: {},
      ready: [0],
      physicalName: "",
      token: "",
      attempt: 1,
      ...given,
    },
  }),
);
const patch = fc.record({ uid, set: fc.record({ key, refs, parent }, { requiredKeys: [] }) });
const change = fc.oneof(
  put,
  put,
  patch.map((given): Change => ({ op: "patch", ...given })),
  uid.map((given): Change => ({ op: "drop", uid: given })),
);

const namesOf = (records: Iterable<ResourceRecord>): string[] => [...records].map((each) => each.uid).sort();

describe("whatever has changed since somebody first looked, records are found", () => {
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

  test("under their names, in scopes, and by what they refer to", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.array(change, { maxLength: 12 }), (before, after) => {
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
