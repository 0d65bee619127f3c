/**
 * One scenario of the kill tests, and differences that the comparison with the simulation finds; the others are in the
 * matrix.
 */
import { describe, expect, test } from "vitest";
import { defects } from "../../faults/defects.js";
import { places } from "../../faults/places/fs.js";
import { type Scenario, scenarios } from "../../faults/scenarios.js";
import type { WorldTexts } from "../../faults/world-texts.js";
import { simulatedFiles } from "./simulated-places.js";
import { compare, realityOf } from "./suite.js";

const named = (titles: readonly string[]): Scenario[] => scenarios.filter(({ title }) => titles.includes(title));

describe("a difference from reality is reported", () => {
  test.each(named(["create"]))("in $title", async (scenario) => {
    const reality = await realityOf(places, scenario, { kills: 3, next: 1 });
    const differences = async (broken: (typeof simulatedFiles)["broken"]): Promise<readonly string[]> =>
      (await compare(reality, { ...simulatedFiles, broken }, 5)).differences;

    expect(await differences(undefined), "where nothing is broken").toEqual([]);
    expect(await differences(defects.drops), "a store that forgets what it was given").toContainEqual(
      expect.stringContaining("in reality record"),
    );
    expect(await differences({ world: losing("plain") }), "a world that loses an effect").toContainEqual(
      expect.stringContaining("the end: in reality thing"),
    );
    const slow = { store: defects.late.store };
    expect(await differences(slow), "a store that leaves a result out").not.toEqual([]);
  });
});

/** A create of a resource with this id has no effect. */
function losing(id: string) {
  return (sound: WorldTexts): WorldTexts => ({
    ...sound,
    put(path, text) {
      if (!path.startsWith(`things/${id}.`)) sound.put(path, text);
    },
  });
}
