import { describe, expect, test } from "vitest";
import { Stage } from "../../helpers/apps/stage.js";
import { declareSettling, newRun } from "./settling.js";

describe("waiting for all that was declared", () => {
  test("takes no longer than the declarations, however many there are and in whatever order they settle", async () => {
    const scope = await new Stage().open();
    const run = newRun();
    const count = 200_000;
    const settle: (() => void)[] = [];
    for (let index = 0; index < count; index++) {
      const promise = new Promise<void>((resolve, reject) => settle.push(index % 10 === 0 ? reject : resolve));
      declareSettling(run, `${index}`, index % 2 === 0 ? "s" : "t", scope, promise).catch(() => {});
    }
    let half = false;
    const settled = Promise.all([
      run.waits.settled(() => true),
      run.waits
        .settled((path) => path === "s")
        .then(() => {
          half = true;
        }),
    ]);
    for (const index of settle.keys()) if (index % 2 === 0) settle.at(-1 - index)?.();
    for (const one of settle) one();
    await settled;
    expect(half).toBe(true);
    await scope.finalize();
  });
});
