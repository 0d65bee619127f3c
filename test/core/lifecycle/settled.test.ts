import { describe, expect, test } from "vitest";
import { performer } from "../../../core/apply/performer.js";
import { markPending } from "../../../core/contract/pending.js";
import type { Scope } from "../../../core/contract/scope.js";
import { Declared } from "../../../core/run/declared.js";
import { Generation } from "../../../core/run/generation.js";
import { Stage } from "../../helpers/stage.js";

const everywhere = (): boolean => true;

/** A declaration that settles as the promise does. */
function add(generation: Generation, id: string, path: string, scope: Scope, promise: Promise<void>): Promise<unknown> {
  const declared = new Declared({}, path, undefined, {});
  const landed = (): void => generation.onSettled(declared);
  const pending = markPending(promise.finally(landed), "K", id, scope);
  declared.pending = pending;
  generation.add(id, declared);
  return pending;
}

describe("waiting for all that was declared", () => {
  test("takes no longer than the declarations, however many there are and in whatever order they settle", async () => {
    const scope = await new Stage().open();
    const generation = new Generation(8, performer);
    const count = 200_000;
    const settle: (() => void)[] = [];
    for (let index = 0; index < count; index++) {
      const promise = new Promise<void>((resolve, reject) => settle.push(index % 10 === 0 ? reject : resolve));
      add(generation, `${index}`, index % 2 === 0 ? "s" : "t", scope, promise).catch(() => {});
    }
    let half = false;
    const settled = Promise.all([
      generation.waits.settled(everywhere),
      generation.waits
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

  test("includes what is declared by whoever waited for the last of them", async () => {
    const scope = await new Stage().open();
    const generation = new Generation(8, performer);
    const order: number[] = [];
    const declare = (depth: number): void => {
      const pending = add(generation, `${depth}`, "", scope, Promise.resolve());
      const next = async (): Promise<void> => {
        await pending;
        order.push(depth);
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        if (depth > 0) declare(depth - 1);
      };
      void next();
    };
    declare(3);
    await generation.waits.settled(everywhere);
    expect(order).toEqual([3, 2, 1, 0]);
    await scope.finalize();
  });
});
