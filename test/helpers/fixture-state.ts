/** The runs that made test/fixtures/state-format-1, and what is recorded after them. */

import type { ResourceRecord } from "../../core/contract/record.js";
import type { StateStore } from "../../core/contract/store.js";
import type { Change } from "../../core/state/change.js";
import { CLOSING_CHECKPOINTS, type Ledgers, NO_CHECKPOINTS, recordAt } from "./ledgers.js";

const files = recordAt("files", {
  props: { path: "public", since: { $date: "2026-01-02T03:04:05.678Z" }, big: { $bigint: "12345678901234567890" } },
  output: { path: "/srv/public" },
});

/** The records after all runs. */
export const fixtureRecords: readonly ResourceRecord[] = [
  { ...files, ready: [1], done: [2] },
  recordAt("site/page", { refs: ["uid-files"], ready: [3], done: [4, 1], parent: "uid-files" }),
  recordAt("site/old", { uid: "uid-old-1", replaced: true, status: "deleting", attempt: 2, error: "It is in use." }),
  recordAt("site/old", { uid: "uid-old-2", replaces: "uid-old-1", physicalName: "app-old-dev-2" }),
  recordAt("bucket", { status: "updating", lastGood: { props: { name: "a" } }, props: { name: "b" }, attempt: 1 }),
  recordAt("queue", { status: "creating", output: undefined, done: undefined, attempt: 1 }),
];

export const fixtureData = [
  ["/", [["release", 7]]],
  ["uid-files", [["etag", "äöü \u2028 \ud83d\ude00"]]],
] as const;

const put = (record: ResourceRecord): Change => ({ op: "put", record });

/** A checkpoint, a session after it that closed, and one that died in the middle of a line. */
export async function makeFixture(store: StateStore, { run }: Ledgers): Promise<void> {
  const owner = { user: "ada", host: "laptop", pid: 4711, since: "2026-01-02T03:04:05.678Z" };
  const [first, page, old, fresh, bucket, queue] = fixtureRecords;
  if (!first || !page || !old || !fresh || !bucket || !queue) throw new Error("A record is missing.");
  const one = await run(store, { owner, version: "0.1.0", limits: CLOSING_CHECKPOINTS });
  await one.ledger.commit(
    [put({ ...files, status: "creating", output: undefined, done: undefined, attempt: 1 })],
    "now",
  );
  await one.ledger.commit(
    [{ op: "patch", uid: files.uid, set: { status: "ready", output: files.output ?? null, attempt: 0, done: [2] } }],
    "now",
  );
  await one.ledger.commit([put(page), put({ ...old, replaced: undefined }), put(recordAt("gone"))], "now");
  await one.ledger.commit([{ op: "data", owner: "uid-files", key: "etag", value: "äöü \u2028 \ud83d\ude00" }], "now");
  await one.close();
  const two = await run(store, { owner, version: "0.1.0", limits: NO_CHECKPOINTS });
  await two.ledger.commit([{ op: "patch", uid: old.uid, set: { replaced: true } }, put(fresh)], "now");
  await two.ledger.commit(
    [
      { op: "drop", uid: "uid-gone" },
      { op: "data", owner: "/", key: "release", value: 7 },
    ],
    "now",
  );
  await two.ledger.commit([{ op: "place", at: [{ uid: page.uid, ready: [3], done: [4, 1] }] }], "now");
  await two.close();
  const three = await run(store, { owner, version: "0.1.0", limits: NO_CHECKPOINTS });
  await three.ledger.commit([put(bucket), { op: "data", owner: "/", key: "draft", value: true }], "now");
  await three.ledger.commit(
    [put(queue), { op: "forget", owner: "/x" }, { op: "data", owner: "/", key: "draft" }],
    "now",
  );
}
