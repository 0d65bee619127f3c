import { describe, expect, it } from "vitest";
import { type History, linesOf, randomHistory } from "../../../plugins/testing/simulate/history.js";
import { shrink } from "../../../plugins/testing/simulate/simulate.js";
import { Random } from "../../../plugins/testing/simulation/random.js";

const histories = Array.from({ length: 200 }, (_, seed) => randomHistory(new Random(String(seed)), 3, 0.1));
const blowsOf = ({ chapters }: History): readonly unknown[] =>
  chapters.flatMap(({ deployers }) => deployers.flatMap(({ blows }) => blows.map(({ what }) => what)));

describe("a random history", () => {
  it("deploys each version, by processes with names of their own, and follows from the seed", () => {
    for (const { chapters } of histories) {
      const deployers = chapters.flatMap((chapter) => chapter.deployers);
      expect(chapters.length).toBeGreaterThanOrEqual(3);
      expect(new Set(deployers.map(({ name }) => name)).size).toBe(deployers.length);
    }
    expect(randomHistory(new Random("7"), 3, 0.1)).toEqual(histories[7]);
  });

  it("has everything that may go wrong, now and then", () => {
    const blows = histories.flatMap(blowsOf).map((what) => JSON.stringify(what));
    expect(blows).toEqual(expect.arrayContaining(['"kill"', '"SIGINT"', '{"pause":120000}']));
    const lines = histories.flatMap(linesOf).join("\n");
    for (const text of [
      "a destroy",
      "programs[0]",
      "killed at its step",
      "paused for",
      "is away",
      "loses or repeats",
    ]) {
      expect(lines).toContain(text);
    }
  });
});

describe("shrink", () => {
  it("leaves what is needed to fail, and nothing else", async () => {
    const killed = histories.filter((history) => blowsOf(history).includes("kill")).slice(0, 20);
    for (const history of killed) {
      const smallest = await shrink(history, async (smaller) => blowsOf(smaller).includes("kill"));
      expect(linesOf(smallest)).toHaveLength(1);
      expect(blowsOf(smallest)).toEqual(["kill"]);
    }
  });

  it("leaves a history as it is where all of it is needed", async () => {
    const [history] = histories;
    if (!history) throw new Error("There is one.");
    expect(await shrink(history, async () => false)).toEqual(history);
  });
});
