import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openHook } from "../helpers/apps/open-hook.ts";

const kind = { kind: "fs:File", fqn: "shop/dev/index" };
const encode = { value: new Date(0), path: "" };

describe.each(["stateStore", "resolveKind", "tunnel"] as const)("the first answer of %s", (name) => {
  it("is undefined without a tap, and without an answer", async () => {
    const { tap, call } = openHook(name);
    await expect(call(kind)).resolves.toBeUndefined();
    tap("silent", () => undefined);
    tap("silent too", async () => undefined);
    await expect(call(kind)).resolves.toBeUndefined();
  });

  it("is the first that is not undefined, also from a promise; later taps are not asked", async () => {
    const { tap, call } = openHook(name);
    tap("silent", async () => undefined);
    tap("late", async () => {
      await setImmediate();
      return "late";
    });
    tap("never", () => {
      throw new Error("never reached");
    });
    await expect(call(kind)).resolves.toBe("late");
  });

  it.each([[false], [0], [""], [null]])("may be %j", async (answer) => {
    const { tap, call } = openHook(name);
    tap("first", () => answer);
    tap("second", () => "other");
    await expect(call(kind)).resolves.toBe(answer);
  });

  it("is an error when a tap fails before there is one", async () => {
    const { tap, call } = openHook(name);
    tap("broken", async () => Promise.reject(new Error("No network.")));
    tap("second", () => "answer");
    await expect(call(kind)).rejects.toThrow(`Plugin "broken" failed in hook "${name}": No network.`);
  });
});

describe.each(["stateKey", "encodeValue", "decodeValue", "exec", "spawn"] as const)(
  "the synchronous first answer of %s",
  (name) => {
    it("is undefined without a tap, and without an answer", () => {
      const { tap, call } = openHook(name);
      expect(call(encode)).toBeUndefined();
      tap("silent", () => undefined);
      expect(call(encode)).toBeUndefined();
    });

    it("is the first that is not undefined, given at once", () => {
      const { tap, call } = openHook(name);
      tap("silent", () => undefined);
      tap("answers", (context: typeof encode) => ({ seen: context === encode }));
      tap("never", () => {
        throw new Error("never reached");
      });
      expect(call(encode)).toEqual({ seen: true });
    });

    it.each([
      ["resolves", async () => ({ $x: 1 })],
      ["rejects", async () => Promise.reject(new Error("unheard"))],
    ])("is an error when a tap returns a promise that %s", (_how, fn) => {
      const { tap, call } = openHook(name);
      tap("hasty", fn);
      expect(() => call(encode)).toThrow(
        expect.objectContaining({
          code: "PLUGIN_FAILED",
          message: `Plugin "hasty" failed in hook "${name}": the hook is synchronous, and the tap returned a promise.`,
        }),
      );
    });

    it("is an error when a tap throws", () => {
      const { tap, call } = openHook(name);
      tap("broken", () => {
        throw new Error("No.");
      });
      expect(() => call(encode)).toThrow(`Plugin "broken" failed in hook "${name}": No.`);
    });
  },
);
