import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fsStore } from "../../../../adapters/fs/index.js";
import { ledgerKeys, load } from "../../../../core/state/index.js";
import { verify } from "../../../../plugins/admin/operations/verify/verify.js";
import { isLong } from "../../../helpers/checks/sampling.js";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

/** A kill before a write leaves the same state as one after the previous write. Long runs try both, at each write. */
const [edges, step] = isLong ? [["DIE_BEFORE", "DIE_AFTER"], 1] : [["DIE_AFTER"], 2];

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "a command that is killed", () => {
  it.each([
    ["move", ["state", "move", "web", "site", "--yes"]],
    ["forget", ["state", "forget", "web", "--yes"]],
    ["rekey", ["secrets", "rotate", "--rekey"]],
  ])(
    "leaves a whole state at any of its writes, be it the old one or the new one: %s",
    async (_, args) => {
      const [state, start] = [join(project.folder, ".engine"), join(project.folder, "start")];
      await cp(state, start, { recursive: true });
      first = undefined;
      const before = await look();
      const seen: unknown[] = [];
      for (const edge of edges) {
        let code: number | null = null;
        for (let write = 1; code === null; write += step) {
          ({ code } = await project.runWith({ [edge]: String(write) }, ...args));
          const { findings, ...rest } = await look();
          expect(findings, `${edge} ${write}`).toEqual([]);
          seen.push(rest);
          if (code === null) await project.run(...args);
          await rm(state, { recursive: true });
          await cp(start, state, { recursive: true });
        }
        expect(code).toBe(0);
      }
      const after = seen.at(-1);
      const { findings: _none, ...old } = before;
      for (const one of seen) expect([old, after]).toContainEqual(one);
      expect(after).not.toEqual(old);
    },
    120_000,
  );
});

/** The recorded keys of secrets, as they were before. */
let first: string | undefined;

function isFirst(secrets: string): boolean {
  first ??= secrets;
  return secrets === first;
}

/** Returns the records as a run loads them, and the findings of verify. */
async function look() {
  const context = { appName: "shop", stage: "tester", rootDir: project.folder, profile: undefined, warn: () => {} };
  const store = fsStore()(context);
  const place = { store, keys: ledgerKeys("shop", "tester"), app: "shop", stage: "tester", keep: 3 };
  const { contents } = await load(place);
  const { findings } = await verify({ ...place, rootDir: project.folder });
  await store.close?.();
  const keys = [...contents.records.values()].map(({ key }) => key).sort();
  // Each new data key has another name.
  const secrets = JSON.stringify([...(contents.data.get("$secrets") ?? [])]);
  return { keys, data: [...contents.data.keys()].sort(), isSameKey: isFirst(secrets), findings };
}
