import { describe, expect, test } from "vitest";
import { type DecideInput, decide } from "../../../core/apply/decide/decide.js";
import type { RecordStatus, ResourceRecord } from "../../../core/contract/index.js";

function record(status: RecordStatus = "ready", more: Partial<ResourceRecord> = {}): ResourceRecord {
  const named = { key: "a", uid: "u", kind: "K", physicalName: "a", token: "t" };
  return { ...named, status, props: {}, attempt: 1, ready: [1], done: [2], ...more };
}

const unchanged: DecideInput = {
  record: record(),
  kind: "K",
  local: false,
  changes: [],
  force: false,
  replaceOn: [["name"]],
  canUpdate: true,
  canRead: false,
  isRepeated: false,
};

const create = { action: "create" };
const skip = { action: "unchanged" };
const update = { action: "update", recovering: false };
const again = { action: "update", recovering: true };
const replaceKind = { action: "replace", reason: "kind" };
const replaceProps = { action: "replace", reason: "props" };
const replaceLocal = { action: "replace", reason: "local" };
const resumeCreate = { action: "resume-create" };
const settleDelete = { action: "settle-delete" };
const unresolved = { action: "unresolved" };
const unclaimed = { action: "unclaimed" };
const former = { status: "ready", attempt: 0 } as const;
const destroying = record("deleting", { deletion: { by: "destroy", former } });
const replacing = record("deleting", { deletion: { by: "replace", former } });
const notDeleted = record("ready", { deleteFailed: { message: "403", time: "2026", attempts: 1 } });
const none = { record: undefined };

describe("decide", () => {
  test.each<[string, Partial<DecideInput>, object]>([
    ["nothing is recorded", none, create],
    ["nothing is recorded, forced", { ...none, force: true }, create],
    ["nothing is recorded of a type without update", { ...none, canUpdate: false }, create],
    ["an adoption has no result", { record: record("updating", { claim: "adopting", done: undefined }) }, create],
    ["an earlier version may have adopted it", { record: record("updating", { done: undefined }) }, unclaimed],
    ["its create made it, and its update is pending", { record: record("updating", { claim: "own" }) }, again],
    ["nothing has changed", {}, skip],
    ["nothing has changed, of a type without update", { canUpdate: false }, skip],
    ["nothing has changed, forced", { force: true }, update],
    ["nothing has changed, forced, of a type that cannot update", { force: true, canUpdate: false }, skip],
    ["a prop has changed", { changes: ["/size"] }, update],
    ["a prop has changed, of a type without update", { changes: ["/size"], canUpdate: false }, replaceProps],
    ["the whole of the props has changed, and with it one that replaces", { changes: [""] }, replaceProps],
    ["the whole of the props has changed, of a type where none replaces", { changes: [""], replaceOn: [] }, update],
    ["something deep that replaces has changed", { changes: ["/a/b"], replaceOn: [["a", "b"]] }, replaceProps],
    ["something beside what replaces has changed", { changes: ["/a/c"], replaceOn: [["a", "b"]] }, update],
    ["what holds something that replaces has gone", { changes: ["/a"], replaceOn: [["a", "b"]] }, replaceProps],
    ["any element replaces, and one has changed", { changes: ["/a/3/b"], replaceOn: [["a", "*", "b"]] }, replaceProps],
    ["a prop that replaces has changed", { changes: ["/size", "/name"] }, replaceProps],
    ["something inside a prop that replaces has changed", { changes: ["/name/first"] }, replaceProps],
    ["a prop that replaces has changed, forced", { changes: ["/name"], force: true }, replaceProps],
    ["a prop of another level has the name of one that replaces", { changes: ["/tags/name"] }, update],
    ["a prop with a longer name has changed", { changes: ["/name2"] }, update],
    ["a name with a slash replaces", { changes: ["/a~1b"], replaceOn: [["a/b"]] }, replaceProps],
    ["a name with a tilde replaces", { changes: ["/a~01"], replaceOn: [["a~1"]] }, replaceProps],
    ["the kind has changed", { kind: "L" }, replaceKind],
    ["the kind and a prop have changed", { kind: "L", changes: ["/size"] }, replaceKind],
    ["the kind has changed while an update was pending", { kind: "L", record: record("updating") }, replaceKind],
    ["the kind has changed while a create was pending", { kind: "L", record: record("creating") }, replaceKind],
    ["it was made locally, and is not to be", { record: record("ready", { local: true }) }, replaceLocal],
    ["it is to be made locally, and was not", { local: true }, replaceLocal],
    ["it was made locally, and is to be", { local: true, record: record("ready", { local: true }) }, skip],
    ["it is to be made locally while a create was pending", { local: true, record: record("creating") }, replaceLocal],
    ["it is to be made locally while an update was pending", { local: true, record: record("updating") }, replaceLocal],
    ["it is to be made locally while a delete was pending", { local: true, record: destroying }, replaceLocal],
    ["a create is pending", { record: record("creating") }, resumeCreate],
    ["a create is pending, of other props", { record: record("creating"), changes: ["/name"] }, resumeCreate],
    ["a create is pending, forced", { record: record("creating"), force: true }, resumeCreate],
    ["an update is pending", { record: record("updating"), changes: ["/size"] }, again],
    ["an update is pending, and the program is back at the last good props", { record: record("updating") }, again],
    [
      "an update is pending, of a type that lost its update",
      { record: record("updating"), canUpdate: false },
      unresolved,
    ],
    [
      "an update is pending, and a prop that replaces has changed",
      { record: record("updating"), changes: ["/name"] },
      replaceProps,
    ],
    ["a delete is pending", { record: destroying }, settleDelete],
    ["a delete is pending that an older version began", { record: record("deleting") }, settleDelete],
    ["a delete is pending, and the kind has changed", { record: destroying, kind: "L" }, replaceKind],
    [
      "a delete is pending, and a prop that replaces has changed",
      { record: destroying, changes: ["/name"] },
      settleDelete,
    ],
    [
      "the delete of a replacement is pending, and is still asked for",
      { record: replacing, changes: ["/name"] },
      { ...replaceProps, deleteFirst: true },
    ],
    [
      "the delete of a replacement is pending that an update with these props asked for",
      { record: replacing, changes: ["/size"], isRepeated: true },
      { ...replaceProps, deleteFirst: true },
    ],
    [
      "the delete of a replacement is pending, for other props",
      { record: replacing, changes: ["/size"] },
      settleDelete,
    ],
    ["the delete of a replacement is pending, and the change is undone", { record: replacing }, settleDelete],
    [
      "the delete of a replacement is pending, and the kind has changed",
      { record: replacing, kind: "L" },
      { ...replaceKind, deleteFirst: true },
    ],
    ["a delete failed", { record: notDeleted }, again],
    ["a delete failed, of a type that can read", { record: notDeleted, canRead: true }, skip],
    ["a delete failed, of a type without read and update", { record: notDeleted, canUpdate: false }, unresolved],
    [
      "a delete failed, of a type without read and update, and a prop has changed",
      { record: notDeleted, canUpdate: false, changes: ["/size"] },
      replaceProps,
    ],
  ])("when %s", (_, input, decision) => {
    expect(decide({ ...unchanged, ...input })).toEqual(decision);
  });
});
