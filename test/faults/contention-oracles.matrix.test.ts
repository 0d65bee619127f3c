/** Each oracle finds fault with a store that breaks its promise, and with no store that keeps it. */
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { KEYS } from "../helpers/apps/under-key.js";
import { readHistory } from "./contention-history.js";
import { ORACLES, violations } from "./contention-oracles.js";
import { contentionStage } from "./contention-stage.js";
import { module } from "./contention-stores.js";

const stage = contentionStage();
const patient = { timeout: 120_000 };
const [KEY] = KEYS;

async function judged(key?: string): Promise<Record<string, string[]>> {
  const ends = await stage.end();
  const place = { ...stage.place, ...(key === undefined ? {} : { key }) };
  return violations(await readHistory(fsStoreAt(place.location), place, ends));
}

async function found(key?: string): Promise<string[]> {
  return Object.keys(await judged(key));
}

/** A worker sleeps in its first handler while another one takes over, succeeds and lives; then it wakes. */
async function overslept(name: string, key?: string): Promise<void> {
  const opener = { module, name, ...(key === undefined ? {} : { key }) };
  const [sleeper, heir] = await Promise.all([stage.start(opener), stage.start(opener, { machine: "a" })]);
  await sleeper.hold();
  sleeper.signal("SIGSTOP");
  expect(await heir.run(1)).toBe(true);
  const done = sleeper.reported(({ type }) => type === "done");
  sleeper.order("release");
  sleeper.signal("SIGCONT");
  await done;
}

describe("a process that sleeps while another one takes over", () => {
  it.each(["segments", "entries"])("does nothing that an oracle finds fault with (%s)", patient, async (name) => {
    await overslept(name);
    expect(await judged()).toEqual({});
  });

  it("does nothing that an oracle finds fault with on a stage that has a key", patient, async () => {
    await overslept("segments", KEY);
    expect(await judged(KEY)).toEqual({});
    expect((await readdir(stage.place.cwd)).filter((file) => file.startsWith("engine-recovery."))).toHaveLength(1);
  });

  it("is found out if its lines are accepted in spite of the fence", patient, async () => {
    await overslept("ignoresTheFence");
    expect(await found()).toEqual(["acknowledgedCounts", "intentsFirst", "resultsKept", "stopsInTime", "fencedFail"]);
  });

  it("is found out if it overwrites the other one's lines", patient, async () => {
    await overslept("overwrites");
    expect(await found()).toEqual(expect.arrayContaining(["oneAtATime", "ownPlaces", "acknowledgedCounts"]));
  });

  it("is found out if its recovery file is missing", patient, async () => {
    await overslept("segments");
    await stage.end();
    const { cwd } = stage.place;
    const files = (await readdir(cwd)).filter((file) => file.startsWith("engine-recovery."));
    expect(files).toHaveLength(1);
    for (const file of files) await rm(join(cwd, file));
    expect(await found()).toEqual(["resultsKept"]);
  });
});

describe("a store that forgets a line", () => {
  it("is found out by the acknowledged lines, and by those that follow", patient, async () => {
    const worker = await stage.start({ module, name: "forgets" });
    await worker.run(1);
    expect(await found()).toEqual(expect.arrayContaining(["oneAtATime", "acknowledgedCounts"]));
  });
});

describe("a stage that has a key", () => {
  it("is found out where a line has no seal", patient, async () => {
    await (await stage.start({ module, name: "segments" })).run(1);
    expect(await found(KEY)).toEqual(["sealed"]);
  });

  it("is found out if a run does not trust its state", patient, async () => {
    const worker = await stage.start({ module, name: "segments", key: KEY });
    const { location } = stage.place;
    await worker.run(1);
    await cp(location, `${location}-older`, { recursive: true });
    await worker.run(2);
    await rm(location, { recursive: true });
    await cp(`${location}-older`, location, { recursive: true });
    await worker.run(3);
    expect(await found(KEY)).toContain("believed");
  });
});

describe("the oracles", () => {
  it("are all found to bite", () => {
    expect(Object.keys(ORACLES).sort()).toEqual(
      [
        "oneAtATime",
        "ownPlaces",
        "acknowledgedCounts",
        "intentsFirst",
        "resultsKept",
        "stopsInTime",
        "fencedFail",
        "sealed",
        "believed",
      ].sort(),
    );
  });
});
