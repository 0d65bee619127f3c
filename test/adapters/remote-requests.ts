/** Number of requests that creates make over the network. */
import { expect, it } from "vitest";
import type { RemoteName } from "../helpers/stores/remote-stores.js";
import { asksLittle, inTurn, patient, remoteRuns, together } from "./remote-runs.js";

/** Milliseconds of a round trip to a distant region. Meanwhile a slow machine prepares the next writes, too. */
const FAR = 50;

export function requests(name: RemoteName): void {
  const runs = remoteRuns(name);
  const { run, written, asked, takes } = runs;
  asksLittle(runs, [10]);

  it("creates one after the other cost at most 1.1 writes each", patient, async ({ task }) => {
    await run(inTurn(100));
    task.meta.note = `${name}: ${written() / 100} writes for each of 100 creates in turn`;
    expect(written() / 100).toBeLessThanOrEqual(1.1);
  });

  it("1,000 creates, 64 at once, cost at most 0.1 writes each, and hardly anything else", patient, async ({ task }) => {
    takes(FAR);
    await run(together(1_000));
    task.meta.note = `${name}: 1,000 creates at once, ${FAR} ms away: ${written()} writes of ${asked()} requests`;
    expect(written()).toBeLessThanOrEqual(100);
    // If each request waited for the one before, the run would take so many round trips.
    expect(asked()).toBeLessThanOrEqual(written() + 20);
  });
}
