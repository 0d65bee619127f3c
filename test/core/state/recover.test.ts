/** Recovery files, as the next run of a stage finds them. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { digested } from "../../../core/state/checkpoint/digested-text.js";
import type { Change } from "../../../core/state/index.js";
import type { LedgerSettings } from "../../../core/state/ledger.js";
import { folderEach, cwd as rootDir } from "../../e2e/own-folder.ts";
import { loadFrom, recorded } from "../../helpers/stores/journals.js";
import { putting, type Run, recordAt, testLedgers } from "../../helpers/stores/ledgers.js";
import { faultyStore, recordingStore } from "../../helpers/stores/store-around.js";

const ledgers = testLedgers();
folderEach("recover");

const open = (store: StateStore, settings: Partial<LedgerSettings> = {}): Promise<Run> =>
  ledgers.run(store, { rootDir, ...settings });
const files = async (): Promise<string[]> => (await readdir(rootDir)).sort();
const creating = (key: string): Change => ({
  op: "put",
  record: recordAt(key, { status: "creating", attempt: 1, output: undefined, done: undefined }),
});
const created = (key: string): Change => ({
  op: "patch",
  uid: `uid-${key}`,
  set: { status: "ready", attempt: 0, output: { name: `made ${key}` }, done: [2] },
});
const setting = (value: number): Change => ({ op: "data", owner: "/", key: "n", value });

/** A run whose store fails once it has recorded the intents; writes the results to a recovery file. */
async function failedRun(inner: StateStore, results: readonly Change[], intents: readonly Change[]): Promise<string> {
  let isDown = false;
  const run = await open(faultyStore(inner, ({ op }) => (isDown && op !== "get" ? "refused" : undefined)));
  if (intents.length > 0) await run.ledger.commit(intents, "now");
  isDown = true;
  for (const result of results) await run.ledger.commit([result], "now").catch(() => {});
  return (await run.ledger.abandon()) ?? "";
}

const stores = [{ append: true }, { append: false }];

describe.each(stores)("a run that finds a recovery file (%j)", (options) => {
  it("records its results before anything else, says so, and deletes it", async () => {
    const store = memoryStore(options);
    await failedRun(store, [created("a"), setting(1)], [creating("a"), creating("b")]);
    const run = await open(store);
    expect(run.ledger.contents.at("a")).toMatchObject({ status: "ready", output: { name: "made a" } });
    expect(run.ledger.contents.at("b")).toMatchObject({ status: "creating" });
    expect((await loadFrom(store)).contents.at("a")?.status).toBe("ready");
    expect((await loadFrom(store)).contents.data.get("/")?.get("n")).toBe(1);
    expect(run.warnings()).toEqual(["RECOVERED"]);
    expect(run.events.findIndex(({ type }) => type === "state:committed")).toBeLessThan(
      run.events.findIndex(({ type }) => type === "warning"),
    );
    expect(await files()).toEqual([]);
    await run.close();
    expect((await open(store)).warnings()).toEqual([]);
  });

  it("has nothing to do where another run died after it had recorded them, and before the file was deleted", async () => {
    const store = memoryStore(options);
    const path = await failedRun(store, [created("a"), setting(1)], [creating("a")]);
    const text = await readFile(path);
    const died = await open(store);
    await writeFile(path, text);
    const { store: watched, calls } = recordingStore(store);
    const run = await open(watched);
    expect(run.events).toMatchObject([
      { type: "state:taken-over" },
      { code: "RECOVERED", message: expect.stringContaining('recorded already: "/", "a"') },
    ]);
    expect(calls.filter(({ op }) => op === "create" || op === "append")).toEqual([]);
    expect(await files()).toEqual([]);
    expect(died.warnings()).toEqual(["RECOVERED"]);
  });

  it("leaves alone what another run has done since, names it, and keeps what the file said under another name", async () => {
    const store = memoryStore(options);
    const path = await failedRun(store, [created("a"), created("b")], [creating("a"), creating("b")]);
    const text = await readFile(path, "utf8");
    const elsewhere = await ledgers.run(store, { rootDir: join(rootDir, "elsewhere") });
    const again = { op: "put", record: recordAt("a", { output: { name: "theirs" }, token: "theirs" }) } as const;
    await elsewhere.ledger.commit([again], "now");
    await elsewhere.close();
    const run = await open(store);
    expect(run.ledger.contents.at("a")).toMatchObject({ output: { name: "theirs" } });
    expect(run.ledger.contents.at("b")).toMatchObject({ output: { name: "made b" } });
    const [told] = run.events.filter(({ type }) => type === "warning");
    expect(told).toMatchObject({
      code: "RECOVERED",
      message: expect.stringMatching(/now: "b"; not recorded,.*: "a"\./),
    });
    const [kept = "", ...others] = await files();
    expect([kept, others]).toEqual([expect.stringMatching(/^engine-recovery\.app\.dev\.[\w-]+\.stale\.json$/), []]);
    expect(await readFile(join(rootDir, kept), "utf8")).toBe(text);
    await run.close();
    expect((await open(store)).warnings()).toEqual([]);
  });

  it("leaves data alone that another run has changed, and changed back", async () => {
    const store = memoryStore(options);
    const first = await open(store);
    await first.ledger.commit([setting(1)], "now");
    await first.close();
    const path = await failedRun(store, [setting(2)], [creating("a")]);
    const text = await readFile(path);
    await rm(path);
    const elsewhere = await open(store, { rootDir: join(rootDir, "elsewhere") });
    await elsewhere.ledger.commit([setting(2)], "now");
    await elsewhere.ledger.commit([setting(1)], "now");
    await elsewhere.close();
    await writeFile(path, text);
    const run = await open(store);
    expect(run.ledger.contents.data.get("/")?.get("n")).toBe(1);
    expect(run.events).toMatchObject([
      { type: "warning", code: "RECOVERED", message: expect.stringContaining("the state has changed since") },
    ]);
    expect(await files()).toEqual([expect.stringMatching(/stale\.json$/)]);
    await run.close();
  });

  it("takes two of them in the order in which they came about", async () => {
    const store = memoryStore(options);
    const first = await failedRun(store, [created("a")], [creating("a")]);
    const text = await readFile(first);
    await rm(first);
    // The second run did not see the file of the first one.
    await failedRun(store, [created("b"), { op: "drop", uid: "uid-c" }], [creating("b"), creating("c")]);
    await writeFile(first, text);
    const run = await open(store);
    expect(run.warnings()).toEqual(["RECOVERED", "RECOVERED"]);
    expect(recorded(run.ledger)).toEqual(["a", "b"]);
    expect([...run.ledger.contents.records.values()].map(({ status }) => status)).toEqual(["ready", "ready"]);
    expect(await files()).toEqual([]);
  });

  it("keeps it where the store still fails, and makes no second one", async () => {
    const store = memoryStore(options);
    await failedRun(store, [created("a")], [creating("a")]);
    const before = await files();
    const broken = faultyStore(store, ({ op }) => (op === "create" ? "refused" : undefined));
    await expect(open(broken)).rejects.toThrow("create was refused");
    expect(await files()).toEqual(before);
    const run = await open(store);
    expect(run.ledger.contents.at("a")?.status).toBe("ready");
    expect(await files()).toEqual([]);
  });
});

describe("a recovery file is left where it is", () => {
  const left = async (store: StateStore, settings: Partial<LedgerSettings> = {}): Promise<string> => {
    const before = await files();
    const run = await open(store, settings);
    expect(await files()).toEqual(before);
    expect(run.warnings()).toEqual(["RECOVERY_LEFT"]);
    const told = run.events.find(({ type }) => type === "warning");
    return told && "message" in told ? told.message : "";
  };

  it("by a run that writes nothing", async () => {
    const store = memoryStore();
    const path = await failedRun(store, [created("a")], [creating("a")]);
    const message = await left(store, { writes: false });
    expect(message).toContain(path);
    expect(message).toContain("writes nothing");
    expect((await loadFrom(store)).contents.at("a")?.status).toBe("creating");
  });

  it("that belongs to another state of the same name", async () => {
    await failedRun(memoryStore(), [created("a")], [creating("a")]);
    const store = memoryStore();
    await ledgers.ran(store, "a", { rootDir: join(rootDir, "elsewhere") });
    expect(await left(store)).toContain("another state");
    expect(await left(memoryStore())).toContain("another state");
  });

  it("in which a byte was changed", async () => {
    const store = memoryStore();
    const path = await failedRun(store, [created("a")], [creating("a")]);
    await writeFile(path, (await readFile(path, "utf8")).replace("made a", "made b"));
    expect(await left(store)).toContain("damaged");
  });

  it("that a newer version has written", async () => {
    const store = memoryStore();
    const path = await failedRun(store, [created("a")], [creating("a")]);
    const { digest: _digest, ...body } = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, `${digested(JSON.stringify({ ...body, format: 99 })).text}\n`);
    expect(await left(store)).toContain("format 99");
  });

  it("and never mentioned, where it is another stage's whose name begins like this one's", async () => {
    const store = memoryStore();
    const stage = "dev.x";
    const file = `engine-recovery.app.${stage}.0.json`;
    await writeFile(join(rootDir, file), "");
    expect((await open(store)).warnings()).toEqual([]);
    expect((await open(memoryStore(), { stage })).warnings()).toEqual(["RECOVERY_LEFT"]);
    expect(await files()).toEqual([file]);
  });
});

describe("looking for recovery files", () => {
  it("asks the store for nothing, and does not fail without a root folder", async () => {
    const { store, calls } = recordingStore(memoryStore());
    await open(store, { rootDir: join(rootDir, "none") });
    const without = calls.splice(0).length;
    await open(store);
    expect(calls).toHaveLength(without);
  });

  it("leaves none behind where nothing was ever written: no handler was ever called", async () => {
    expect(await failedRun(memoryStore(), [setting(1)], [])).toBe("");
    expect(await files()).toEqual([]);
  });
});

it("a run that cannot look for recovery files says so, and goes on", async () => {
  const noFolder = join(rootDir, "x".repeat(300));
  const run = await ledgers.run(memoryStore(), { rootDir: noFolder });
  expect(run.events).toMatchObject([
    { code: "RECOVERY_LEFT", message: expect.stringMatching(/look for recovery files in .*x: .*NAMETOOLONG/) },
  ]);
  await run.put("a");
  expect(recorded(run.ledger)).toEqual(["a"]);
});

it("an encrypted recovery file stays without its key, and is recorded with it", async () => {
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
    message: expect.stringContaining("it is encrypted, and this engine cannot decrypt it"),
  });
  expect(without.ledger.contents.data.size).toBe(0);
  expect(await readdir(rootDir)).toHaveLength(1);
  const run = await ledgers.run(inner, { rootDir, recoveryCipher });
  expect(run.warnings()).toEqual(["RECOVERED"]);
  expect(run.ledger.contents.data.get("/")?.get("n")).toBe(1);
  expect(await readdir(rootDir)).toEqual([]);
});
