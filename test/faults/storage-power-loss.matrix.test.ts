import { describe, expect, it } from "vitest";
import { history, judgeAll, patient, powerLosses } from "./storage-power-loss.js";
import type { DiskOperation } from "./storage-recorder.js";

powerLosses(1);

describe("faults that these tests would notice", () => {
  it("is a store that syncs nothing it is asked to", patient, async () => {
    const { log, names, marks, seen } = await history({ options: {} });
    const isSync = ({ op }: DiskOperation): boolean => op === "sync" || op === "sync folder";
    const moved = marks.map(({ at, safe }) => ({ at: at - log.slice(0, at).filter(isSync).length, safe }));
    // The beginning is enough: without a sync, the number of possible losses grows without limit.
    const unsynced = log.filter((operation) => !isSync(operation)).slice(0, 25);
    const { faulty } = await judgeAll({ log: unsynced, names, marks: moved, seen });
    expect(faulty.some((what) => what.includes("was synced"))).toBe(true);
  });

  it("is a store that syncs no folder", patient, async () => {
    const { log, names, marks, seen } = await history({ options: { append: false } });
    const isFolder = ({ op }: DiskOperation): boolean => op === "sync folder";
    const moved = marks.map(({ at, safe }) => ({ at: at - log.slice(0, at).filter(isFolder).length, safe }));
    const left = log.filter((one) => !isFolder(one)).slice(0, 40);
    const { faulty } = await judgeAll({ log: left, names, marks: moved, seen });
    expect(faulty).not.toEqual([]);
  });
});
