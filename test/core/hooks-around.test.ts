import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createHooks } from "../../core/plugin/index.js";
import { rejection } from "../helpers/apps/apps.ts";
import { tapUntyped } from "../helpers/apps/open-hook.ts";

type Next = () => Promise<unknown>;

const context = { run: "1a", store: "memory", operation: "get", key: "k" } as const;

describe("a hook around a piece of work", () => {
  it("does the work itself if there is no tap", async () => {
    const { storeRequest } = createHooks().calls;
    expect(storeRequest.used).toBe(false);
    expect(await storeRequest.call(context, async () => 1)).toBe(1);
  });

  it("has the taps one inside of the other, the first outermost and those that are last innermost", async () => {
    const { hooks, calls } = createHooks();
    const order: string[] = [];
    for (const plugin of [{ name: "inner", last: true }, "first", { name: "second" }]) {
      const name = typeof plugin === "string" ? plugin : plugin.name;
      hooks.storeRequest.tapPromise(plugin, async (given, next) => {
        expect(given).toBe(context);
        await setImmediate();
        order.push(name);
        const answer = await next();
        order.push(`/${name}`);
        return answer;
      });
    }
    const answer = await calls.storeRequest.call(context, async () => {
      order.push("work");
      return { of: "the store" };
    });
    expect(answer).toEqual({ of: "the store" });
    expect(order).toEqual(["first", "second", "inner", "work", "/inner", "/second", "/first"]);
  });

  it("rejects with the very error of the work, or with what a tap throws in its place", async () => {
    const { hooks, calls } = createHooks();
    const [no, other] = [new Error("No."), new Error("Other.")];
    const failing = (): Promise<never> => Promise.reject(no);
    hooks.storeRequest.tapPromise("a", (_, next) => next());
    expect(await rejection(calls.storeRequest.call(context, failing))).toBe(no);
    hooks.storeRequest.tapPromise("b", (_, next) =>
      next().catch(() => {
        throw other;
      }),
    );
    expect(await rejection(calls.storeRequest.call(context, failing))).toBe(other);
  });

  it("gives what the work gave, or threw, whatever a tap returns or forgets to return", async () => {
    const { hooks, calls } = createHooks();
    tapUntyped(
      hooks.storeRequest,
      "tapPromise",
      "forgetful",
      async (_: unknown, next: Next) => void (await next().catch(() => {})),
    );
    tapUntyped(hooks.storeRequest, "tapPromise", "inventive", async (_: unknown, next: Next) => [await next()]);
    expect(await calls.storeRequest.call(context, async () => "of the store")).toBe("of the store");
    const no = new Error("No.");
    expect(await rejection(calls.storeRequest.call(context, () => Promise.reject(no)))).toBe(no);
  });

  it("does not do the work again for a tap that tries it again, and says whose tap that is", async () => {
    const { hooks, calls } = createHooks();
    let done = 0;
    hooks.storeRequest.tapPromise("eager", (_, next) => next().catch(next));
    const failing = (): Promise<never> => {
      done++;
      return Promise.reject(new Error("No."));
    };
    expect(await rejection(calls.storeRequest.call(context, failing))).toMatchObject({
      code: "PLUGIN_FAILED",
      message: 'Plugin "eager" failed in hook "storeRequest": it called next() twice, but the work is done only once.',
    });
    expect(done).toBe(1);
  });

  it("lets a tap that ends too early end when the work has, and fail", async () => {
    const { hooks, calls } = createHooks();
    let isOver = false;
    tapUntyped(hooks.storeRequest, "tapPromise", "hasty", (_: unknown, next: Next) =>
      Promise.race([next(), undefined]),
    );
    const slow = async (): Promise<void> => {
      await setImmediate();
      isOver = true;
    };
    expect(await rejection(calls.storeRequest.call(context, slow))).toMatchObject({
      code: "PLUGIN_FAILED",
      message: expect.stringContaining('"hasty" failed in hook "storeRequest": it did not wait'),
    });
    expect(isOver).toBe(true);
  });
});
