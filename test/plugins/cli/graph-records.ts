/** Records of a stage, for a graph. */
import type { ResourceRecord } from "../../../core/contract/index.js";

export const record = (key: string, more: Partial<ResourceRecord> = {}): ResourceRecord => ({
  key,
  uid: `uid-${key}`,
  kind: "test:Box",
  status: "ready",
  props: {},
  physicalName: "",
  token: "",
  attempt: 0,
  ready: [0],
  ...more,
});

/** Created in the order network, db with an inner one, then the web scope. */
export const records = [
  record("web/front", { ready: [3], refs: ["uid-network", "uid-db"] }),
  record("db", { ready: [1], refs: ["uid-network"] }),
  record("network", { ready: [0] }),
  record("db/user", { ready: [2], parent: "uid-db", status: "creating" }),
  record("web/deep/cache", { ready: [4], refs: ["uid-network", "uid-gone"] }),
];
