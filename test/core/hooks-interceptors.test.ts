/** Interceptors of hooks: they observe, and replace nothing. */
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createHooks } from "../../core/plugin/index.js";
import { openHook } from "../helpers/apps/open-hook.ts";

const kind = { kind: "fs:File", fqn: "shop/dev/index" };

function invalid(message: string): unknown {
  return expect.objectContaining({ code: "INVALID_DEFINITION", message: expect.stringContaining(message) });
}

describe("an interceptor", () => {
  it("hears of taps, made before and after it, and of calls", async () => {
    const { hooks, calls } = createHooks();
    const told: unknown[] = [];
    hooks.beforeApply.tap("a", () => void told.push("a"));
    hooks.beforeApply.intercept({
      name: "watch",
      register(tap) {
        told.push(`registered ${tap.name}`);
        return tap;
      },
      call: (...args) => void told.push(["call", ...args]),
      tap: (tap) => void told.push(`about to call ${tap.name}`),
      done: () => void told.push("done"),
    });
    hooks.beforeApply.tap("b", () => void told.push("b"));
    await calls.beforeApply.call(kind as never);
    expect(told).toEqual([
      "registered a",
      "registered b",
      ["call", kind],
      "about to call a",
      "a",
      "about to call b",
      "b",
      "done",
    ]);
  });

  it("that asks for what interceptors share gets it first, and none gets the errors of cleanup", async () => {
    const { hooks, calls } = createHooks();
    const told: unknown[] = [];
    hooks.cleanup.tap("a", () => undefined);
    hooks.cleanup.intercept({ context: true, call: (...args: unknown[]) => void told.push(args) } as never);
    await calls.cleanup.call(kind as never);
    expect(told).toEqual([[undefined, kind]]);
  });

  it.each(["call", "tap", "error", "done", "register"] as const)(
    "whose %s() throws or rejects cause a warning, and the run continues",
    async (member) => {
      const { hooks, call, warnings } = openHook("cleanup");
      const no = (): never => {
        throw new Error("No.");
      };
      hooks.cleanup.intercept({ name: "watch", [member]: no } as never);
      hooks.cleanup.intercept({ [member]: async () => no() } as never);
      hooks.cleanup.tap("a", () => undefined);
      await expect(call({})).resolves.toEqual([]);
      await setImmediate();
      const told = (name: string) => [
        "OBSERVER_FAILED",
        `The interceptor${name} of the hook "cleanup" failed in ${member}(): No.`,
      ];
      expect(warnings).toEqual(member === "error" ? [] : [told(' "watch"'), told("")]);
    },
  );

  it("replaces nothing, and can call no tap", async () => {
    const { hooks, calls } = createHooks();
    const taps: { fn: () => void }[] = [];
    let asked = 0;
    const register = (tap: object): object => {
      taps.push(tap as never);
      return { fn: () => {} };
    };
    hooks.beforeDelete.intercept({ register } as never);
    hooks.beforeDelete.tap("guard", () => void asked++);
    await calls.beforeDelete.call(kind as never);
    expect(asked).toBe(1);
    expect(() => taps[0]?.fn()).toThrow("Only the hook itself may call a tap.");
  });

  it.each<[unknown, string]>([
    [[], "an interceptor must be an object"],
    [{ call: 5 }, '"call" of an interceptor must be a function'],
    [{ regsiter() {} }, 'an interceptor has no "regsiter". Did you mean "register"?'],
  ])("that is none is refused: %o", (interceptor, message) => {
    const { hooks } = createHooks();
    expect(() => hooks.beforeApply.intercept(interceptor as never)).toThrow(invalid(message));
  });

  it("may be an object of a class", async () => {
    const { hooks, calls } = createHooks();
    class Watch {
      calls = 0;
      call(): void {
        this.calls++;
      }
    }
    const watch = new Watch();
    hooks.beforeApply.intercept(watch as never);
    hooks.beforeApply.tap("a", () => undefined);
    await calls.beforeApply.call(kind as never);
    expect(watch.calls).toBe(1);
  });
});
