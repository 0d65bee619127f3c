import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { NOTHING_DONE } from "../../../core/base/index.js";
import { digested } from "../../../core/state/checkpoint/digested-text.js";
import { readCheckpoint, writeCheckpoint } from "../../../core/state/index.js";
import { historyOf } from "../../../plugins/admin/operations/history.js";
import { keys, loadFrom } from "../../helpers/stores/journals.js";
import { testLedgers } from "../../helpers/stores/ledgers.js";

const ledgers = testLedgers();
const place = { keys, app: "app", stage: "dev", keep: 3 };

async function runs(count: number, store = memoryStore()) {
  const seqs: number[] = [];
  for (let index = 0; index < count; index++) {
    const run = await ledgers.begun(store, `r${index}`, { command: `command ${index}` });
    await run.ledger.close(index === 1 ? "failed" : "done", { ...NOTHING_DONE, created: 1 });
    seqs.push((await loadFrom(store)).head.seq);
  }
  return { store, seqs };
}

describe("the history of a state", () => {
  it("tells of each copy who made it, by what, when, and how it ended, also where the journal has been trimmed", async () => {
    const { store, seqs } = await runs(6);
    const past = await historyOf({ store, ...place });
    expect(past.map(({ seq, resources }) => [seq, resources])).toEqual(seqs.map((seq, index) => [seq, index + 1]));
    expect(past[1]).toMatchObject({
      run: {
        command: "command 1",
        outcome: "failed",
        summary: { created: 1 },
        since: "2026-01-02T03:04:05.678Z",
        pid: ledgers.dead.pid,
      },
      problem: undefined,
    });
    expect(await store.get(keys.entry(seqs[1] ?? 0))).toBeUndefined();
  });

  it("takes from the journal what a copy of an older version does not say, and nothing where that is trimmed", async () => {
    const { store, seqs } = await runs(6);
    for (const seq of seqs) {
      const { head, contents } = readCheckpoint("", (await store.get(keys.history(seq))) ?? "");
      await store.set(keys.history(seq), writeCheckpoint(head, contents, { version: "0.1.0" }));
    }
    const past = await historyOf({ store, ...place });
    expect(past.at(-1)?.run).toMatchObject({ command: "command 5", outcome: "done" });
    expect(past[1]).toMatchObject({ run: undefined, resources: 2, problem: undefined });
  });

  it("has a damaged copy among the others, with what is wrong", async () => {
    const { store, seqs } = await runs(2);
    await store.set(keys.history(seqs[0] ?? 0), "{}");
    expect(await historyOf({ store, ...place })).toMatchObject([
      { seq: seqs[0], resources: undefined, problem: expect.stringContaining("digest") },
      { seq: seqs[1], resources: 2 },
    ]);
  });

  it("has one among them that says nonsense of its run", async () => {
    const { store, seqs } = await runs(2);
    const { digest: _digest, ...body } = JSON.parse((await store.get(keys.history(seqs[0] ?? 0))) ?? "");
    await store.set(keys.history(seqs[0] ?? 0), `${digested(JSON.stringify({ ...body, closed: {} })).text}\n`);
    expect(await historyOf({ store, ...place })).toMatchObject([
      { seq: seqs[0], run: undefined, resources: undefined, problem: expect.stringMatching(/./) },
      { seq: seqs[1], run: { command: "command 1" }, resources: 2 },
    ]);
  });
});
