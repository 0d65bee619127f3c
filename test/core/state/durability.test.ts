/** Which writes are asked to survive a power loss, on a store that makes a difference. */
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { CLOSING_CHECKPOINTS, NO_CHECKPOINTS, type Run, testLedgers } from "../../helpers/stores/ledgers.js";
import { described, type RecordingStore, recordingStore } from "../../helpers/stores/store-around.js";

const ledgers = testLedgers();

/** The writes so far, each with whether it is to survive a power loss; what is said of nothing is the store's default: it is. */
function writes({ calls }: RecordingStore): string[] {
  const found = calls.filter(({ op }) => op === "create" || op === "append");
  return found.map((call) => `${described(call)} ${call.options?.sync === false ? "quick" : "synced"}`);
}

async function written(
  append: boolean,
  work: (run: Run) => Promise<void>,
  limits = CLOSING_CHECKPOINTS,
): Promise<string[]> {
  const recording = recordingStore(memoryStore({ append }));
  await work(await ledgers.run(recording.store, { limits }));
  return writes(recording);
}

describe("the writes of a run with segments", () => {
  it("are synced where they open, close or make a checkpoint, and quick in between", async () => {
    const all = await written(true, async (run) => {
      for (const name of ["a", "b", "c"]) await run.put(name);
      await run.close();
    });
    expect(all).toEqual([
      "create journal/1 synced",
      // The second try of the open, which finds out whether the store keeps two runs apart.
      "create journal/1 synced",
      "create journal/2 synced",
      "append journal/2 quick",
      "append journal/2 quick",
      "append journal/2 synced",
      "create checkpoint/2 synced",
      "create history/2 quick",
    ]);
  });

  it("are synced at the end of a segment before the next one counts its lines", async () => {
    const limits = { ...NO_CHECKPOINTS, tail: 2_000 };
    const all = await written(
      true,
      async (run) => {
        for (let number = 0; number < 8; number++) await run.put(`${number}`);
        await run.ledger.abandon();
      },
      limits,
    );
    const next = all.indexOf("create journal/3 synced");
    expect(next).toBeGreaterThan(0);
    expect(all[next - 1]).toBe("append journal/2 synced");
    expect(all.slice(3, next - 1).every((write) => write === "append journal/2 quick")).toBe(true);
  });
});

describe("the writes of a run without segments", () => {
  it("are all synced, for a later one must not outlive an earlier one", async () => {
    const all = await written(false, async (run) => {
      for (const name of ["a", "b", "c"]) await run.put(name);
      await run.close();
    });
    expect(all.filter((write) => write.endsWith("quick"))).toEqual(["create history/5 quick"]);
  });
});
