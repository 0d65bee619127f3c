import { describe, expect, test } from "vitest";
import { Stage } from "../../helpers/apps/stage.js";
import { declareSettling, newRun } from "./settling.js";

const everywhere = (): boolean => true;

describe("waiting for all that was declared", () => {
  test("includes declarations that follow after the last of them was awaited", async () => {
    const scope = await new Stage().open();
    const run = newRun();
    const order: number[] = [];
    const declare = (depth: number): void => {
      const pending = declareSettling(run, `${depth}`, "", scope, Promise.resolve());
      const next = async (): Promise<void> => {
        await pending;
        order.push(depth);
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        if (depth > 0) declare(depth - 1);
      };
      void next();
    };
    declare(3);
    await run.waits.settled(everywhere);
    expect(order).toEqual([3, 2, 1, 0]);
    await scope.finalize();
  });
});
