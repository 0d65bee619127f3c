/** Runs that are killed at their points, on any kind of store, and the runs that recover from it. */
import { describe, expect, test } from "vitest";
import { machineOfItsOwn } from "../helpers/processes/own-machine.js";
import { Matrix } from "./matrix.js";
import type { Places } from "./places/places.js";
import type { Scenario } from "./scenarios.js";

export interface MatrixSize {
  /**
   * Number of kills for each scenario; with a second number, each of as many following runs is killed, too. In long
   * runs: all.
   */
  readonly kills: readonly [once: number, twice?: number];
}

const timeout = 6 * 3_600_000;

export function killMatrix(places: Places, scenarios: readonly Scenario[], { kills: [once, twice] }: MatrixSize): void {
  const made: string[] = [];
  let total = 0;
  machineOfItsOwn();
  const count = ({ kills }: Matrix, title: string, points?: number): void => {
    total += kills.length;
    made.push(`${title} ${kills.length}${points === undefined ? "" : ` of ${points}`}`);
  };

  describe.each(scenarios)(`${places.name}: killed in the midst of $title`, (scenario) => {
    if (twice === undefined) {
      test("is made good by whatever comes next", { timeout }, async () => {
        const matrix = new Matrix(places, scenario);
        const points = await matrix.killOnce(once);
        count(matrix, scenario.title, points);
        expect(matrix.flaws).toEqual([]);
        // Timing decides the number of heartbeats, the one at which a run is killed, and the changes that share a
        // write. The total of all scenarios below does not depend on it.
        const share = scenario.settings === "beating" ? 0.3 : 0.45;
        expect(matrix.kills.length).toBeGreaterThan(Math.min(once, points) * share);
      });
    } else {
      test("and killed again while that is made good, is made good all the same", { timeout }, async () => {
        const matrix = new Matrix(places, scenario);
        await matrix.killTwice(once, twice);
        count(matrix, scenario.title);
        expect(matrix.flaws).toEqual([]);
        expect(matrix.kills.length).toBeGreaterThan(once);
      });
    }
  });

  test(`${places.name}: in all, nearly every run that was to be killed was killed`, ({ task }) => {
    task.meta.note = `${places.name}: ${total} kills: ${made.join(", ")}`;
    expect(total).toBeGreaterThan(0.9 * made.length * (once + once * (twice ?? 0)));
  });
}
