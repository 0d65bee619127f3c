/** Recovery files that cannot be looked for, or read. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { recorded } from "../../helpers/stores/journals.js";
import { putting, testLedgers } from "../../helpers/stores/ledgers.js";
import { faultyStore } from "../../helpers/stores/store-around.js";

const ledgers = testLedgers();
let rootDir: string;
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "unread-"));
});
afterEach(() => rm(rootDir, { recursive: true }));

it("a run that cannot look for them says so, and goes on", async () => {
  const noFolder = join(rootDir, "x".repeat(300));
  const run = await ledgers.run(memoryStore(), { rootDir: noFolder });
  expect(run.events).toMatchObject([
    { code: "RECOVERY_LEFT", message: expect.stringMatching(/recovery files in .*x could not be seen: .*NAMETOOLONG/) },
  ]);
  await run.put("a");
  expect(recorded(run.ledger)).toEqual(["a"]);
});

it("one that is encrypted stays where nobody has what opens it, and is recorded where somebody has", async () => {
  const inner = memoryStore();
  let isDown = false;
  const store = faultyStore(inner, ({ op }) => (isDown && op !== "get" ? "refused" : undefined));
  const reversed = (text: string): string => [...text].reverse().join("");
  const recoveryCipher = { seal: reversed, unseal: async (text: string) => reversed(text) };
  const failed = await ledgers.run(store, { rootDir, recoveryCipher });
  await failed.ledger.commit([putting("a")], "now");
  isDown = true;
  await failed.ledger.commit([{ op: "data", owner: "/", key: "n", value: 1 }], "now").catch(() => {});
  await failed.ledger.abandon();
  const without = await ledgers.run(inner, { rootDir });
  expect(without.events.at(-1)).toMatchObject({
    code: "RECOVERY_LEFT",
    message: expect.stringContaining("It is encrypted, and there is nothing to read it with."),
  });
  expect(without.ledger.contents.data.size).toBe(0);
  expect(await readdir(rootDir)).toHaveLength(1);
  const run = await ledgers.run(inner, { rootDir, recoveryCipher });
  expect(run.warnings()).toEqual(["RECOVERED"]);
  expect(run.ledger.contents.data.get("/")?.get("n")).toBe(1);
  expect(await readdir(rootDir)).toEqual([]);
});
