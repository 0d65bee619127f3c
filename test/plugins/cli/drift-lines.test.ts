import { expect, test } from "vitest";
import { driftLines } from "../../../plugins/cli/commands/drift.js";

test("a type that cannot be read has one line, however many resources of it there are", () => {
  const note = (kind: string, id: string) => {
    return { kind, id, fqn: `shop/dev/${id}`, reason: `its kind "${kind}" has no read` };
  };
  const unread = [...Array(40).keys()].map((n) => note("a:Queue", `q${n}`));
  const drift = { app: "shop", stage: "dev", resources: [], same: 2, errors: [] };
  expect(driftLines({ ...drift, unread: [...unread, note("a:Table", "t")] })).toEqual([
    'unread   40 resources  (a:Queue: its kind "a:Queue" has no read)',
    'unread   shop/dev/t  (a:Table: its kind "a:Table" has no read)',
    "drift of shop/dev: 2 as recorded, 41 not read",
  ]);
});
