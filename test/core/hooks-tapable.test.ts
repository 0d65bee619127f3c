/** Hooks as tapable's README describes them, combined with the engine's own options. */
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { HookName } from "../../core/contract/index.js";
import { createHooks } from "../../core/plugin/index.js";
import { openHook, tapUntyped } from "../helpers/apps/open-hook.ts";

const kind = { kind: "fs:File", fqn: "shop/dev/index" };
const request = { run: "1a", store: "memory", operation: "get", key: "k" } as const;
const asynchronous = ["beforeApply", "resolveKind", "cleanup"] as const;
const synchronous = ["exec", "redact"] as const;
const around = ["handler", "storeRequest"] as const;

function invalid(message: string): unknown {
  return expect.objectContaining({ code: "INVALID_DEFINITION", message: expect.stringContaining(message) });
}

describe("the order of taps", () => {
  it.each([...asynchronous, ...synchronous])("of %s is that of their stages, and of `before`", async (name) => {
    const { tap, call } = openHook(name);
    const order: string[] = [];
    const note = (text: string) => (context: unknown) => {
      order.push(text);
      return name === "redact" ? context : undefined;
    };
    for (const [options, text] of [
      ["a", "a"],
      [{ name: "ask", last: true }, "ask"],
      [{ name: "late", stage: 100 }, "late"],
      [{ name: "early", stage: -1 }, "early"],
      [{ name: "b", before: " a " }, "b"],
      [{ name: "c", before: ["b", "late", "nobody"] }, "c"],
      [{ name: "d", before: "nobody" }, "d"],
    ] as const)
      tap(options, note(text));
    await call(kind);
    expect(order).toEqual(["early", "c", "b", "a", "d", "late", "ask"]);
  });

  it.each(around)("of %s is that of their stages, the first outermost", async (name) => {
    const { tap, call } = openHook(name);
    const order: string[] = [];
    const note = (text: string) => (_: unknown, next: () => Promise<unknown>) => {
      order.push(text);
      return next();
    };
    tap("a", note("a"));
    tap({ name: "b", before: "a" }, note("b"));
    tap({ name: "c", stage: -5 }, note("c"));
    await call(request, async () => order.push("work"));
    expect(order).toEqual(["c", "b", "a", "work"]);
  });
});

it.each(["beforeApply", "resolveKind", ...synchronous] as const)(
  "a tap that is added while %s is called waits for the next call",
  async (name) => {
    const { tap, call } = openHook(name);
    const order: string[] = [];
    const answer = (context: unknown) => (name === "redact" ? context : undefined);
    tap("a", (context: unknown) => {
      order.push("a");
      for (const stage of [-1, 1])
        tap({ name: `b${stage}`, stage }, (given: unknown) => {
          order.push("b");
          return answer(given);
        });
      return answer(context);
    });
    await call(kind);
    expect(order).toEqual(["a"]);
    await call(kind);
    expect(order).toEqual(["a", "b", "a", "b"]);
  },
);

describe.each(asynchronous)("%s, which waits for its taps,", (name) => {
  it("is tapped by functions, promises and callbacks", async () => {
    const { by, call, warnings } = openHook(name);
    const seen: unknown[] = [];
    by("tap")("function", (context: unknown) => void seen.push("function", context));
    by("tapPromise")("promise", async (context: unknown) => {
      await setImmediate();
      seen.push("promise", context);
    });
    by("tapAsync")("callback", (context: unknown, done: () => void) => {
      seen.push("callback", context);
      done();
    });
    await call(kind);
    expect(seen).toEqual(["function", kind, "promise", kind, "callback", kind]);
    expect(warnings).toEqual([]);
  });

  it("awaits a promise that a tap returns, and warns of it once", async () => {
    const { tap, call, warnings } = openHook(name);
    const seen: string[] = [];
    tap("audit", async () => {
      await setImmediate();
      seen.push("audit");
    });
    tap("next", () => void seen.push("next"));
    await call(kind);
    await call(kind);
    expect(seen).toEqual(["audit", "next", "audit", "next"]);
    const message = `Plugin "audit" returned a promise from tap() of the hook "${name}". The engine awaits it, but tap() is for synchronous functions: use tapPromise().`;
    expect(warnings).toEqual([["TAP_RETURNED_PROMISE", message]]);
  });

  it.each([
    ["a callback that is called with an error", (_: unknown, done: (error: Error) => void) => done(new Error("No."))],
    [
      "a callback that throws",
      () => {
        throw new Error("No.");
      },
    ],
    [
      "a callback that throws once it has called back",
      (_: unknown, done: () => void) => {
        done();
        throw new Error("No.");
      },
    ],
    [
      "a callback that is called twice, at last with an error",
      (_: unknown, done: (error?: Error) => void) => {
        done();
        done(new Error("No."));
      },
    ],
    ["an asynchronous function that rejects", () => Promise.reject(new Error("No."))],
  ])("names plugin and hook in the failure of %s", async (_how, fn) => {
    const { by, call } = openHook(name);
    by("tapAsync")("audit", fn);
    const error: unknown = await Promise.resolve(call(kind)).catch((failure: unknown) => failure);
    const failure: unknown = Array.isArray(error) ? error[0] : error;
    expect(failure).toMatchObject({
      code: "PLUGIN_FAILED",
      message: `Plugin "audit" failed in hook "${name}": No.`,
    });
  });
});

it("takes the result that a tap hands to its callback for an answer", async () => {
  const { by, call } = openHook("tunnel");
  by("tapAsync")("silent", (_: unknown, done: () => void) => done());
  by("tapAsync")("answers", (_: unknown, done: (error: null, answer: string) => void) => done(null, "https://a.test"));
  await expect(call({})).resolves.toBe("https://a.test");
});

describe.each(synchronous)("%s, which does not wait,", (name) => {
  it.each(["tapPromise", "tapAsync"] as const)("refuses %s", (way) => {
    expect(() => openHook(name).by(way)("audit", () => undefined)).toThrow(
      invalid(`Hook "${name}" cannot be tapped: it has no ${way}(). Use tap().`),
    );
  });
});

describe.each(around)("%s, which has the work inside,", (name) => {
  it.each(["tap", "tapAsync"] as const)("refuses %s", (way) => {
    expect(() => openHook(name).by(way)("audit", () => undefined)).toThrow(
      invalid(`Hook "${name}" cannot be tapped: it has no ${way}(). Use tapPromise().`),
    );
  });

  it("refuses to be intercepted", () => {
    const { hooks } = openHook(name);
    expect(() => Reflect.apply(Reflect.get(hooks[name], "intercept"), hooks[name], [{}])).toThrow(invalid("intercept"));
  });
});

describe("an option of a tap", () => {
  it.each<[string, object]>([
    ['a tap has no option "plugin". The options are: name, stage, before, inPlans, last.', { plugin: "x" }],
    ['a tap has no option "stages". Did you mean "stage"?', { name: "x", stages: 1 }],
    ['the option "stage" must be a finite number', { name: "x", stage: "first" }],
    ['the option "stage" must be a finite number', { name: "x", stage: Number.NaN }],
    ['the option "before" must be the name of a tap, or a list of names', { name: "x", before: [1] }],
    ['the option "last" must be true or false', { name: "x", last: "yes" }],
    ['the option "last" cannot be combined with "stage" or "before"', { name: "x", last: true, before: "a" }],
    ["the first argument must be the name of the plugin, or an object with options", ["x"]],
  ])("is refused: %s", (message, options) => {
    for (const name of ["beforeApply", "exec", "handler"] as const)
      expect(() => openHook(name).tap(options, () => undefined)).toThrow(
        invalid(`Hook "${name}" cannot be tapped: ${message}`),
      );
  });

  it("may stand for all taps that are made by a hook of withOptions", async () => {
    const { hooks, calls } = createHooks();
    const order: string[] = [];
    hooks.beforeFinalize.tap("plain", () => void order.push("plain"));
    const early = hooks.beforeFinalize.withOptions({ stage: -1 });
    early.tap("early", () => void order.push("early"));
    early.withOptions({ stage: -2 }).tap("own", () => void order.push("earliest"));
    await calls.beforeFinalize.call({ planned: false } as never);
    expect(order).toEqual(["earliest", "early", "plain"]);
    expect(() => hooks.beforeFinalize.withOptions({ stagee: 1 } as never)).toThrow(invalid('Did you mean "stage"?'));
  });

  it("`inPlans` is heeded in plans alone", async () => {
    const { hooks, calls } = createHooks();
    const seen: string[] = [];
    hooks.beforeFinalize.tapAsync({ name: "a", inPlans: true }, (_, done) => {
      seen.push("a");
      done();
    });
    hooks.beforeFinalize.tapPromise("b", async () => void seen.push("b"));
    await calls.beforeFinalize.call({ planned: true } as never);
    expect(seen).toEqual(["a"]);
  });
});

describe("a hook", () => {
  const ways = ["tap", "tapPromise", "tapAsync", "intercept", "isUsed", "withOptions"];

  it("has no way to be called, and hides what has", () => {
    const { hooks } = createHooks();
    for (const hook of Object.values<object>({ ...hooks, other: hooks.beforeApply.withOptions({ stage: 1 }) })) {
      expect(Reflect.ownKeys(hook)).toEqual([]);
      const shared: object = Object.getPrototypeOf(hook);
      expect(Reflect.ownKeys(shared).sort()).toEqual([...ways, "constructor"].sort());
      expect(Object.getPrototypeOf(shared)).toBe(Object.prototype);
    }
  });

  it("says whether it is used", () => {
    const { hooks } = createHooks();
    expect([hooks.beforeApply.isUsed(), hooks.handler.isUsed()]).toEqual([false, false]);
    hooks.beforeApply.tap("a", () => undefined);
    hooks.handler.tapPromise("a", (_, next) => next());
    expect([hooks.beforeApply.isUsed(), hooks.handler.isUsed()]).toEqual([true, true]);
  });

  it.each<HookName>(["beforeApply", "exec", "handler", "cleanup"])(
    "%s refuses taps after the end of the app",
    async (name) => {
      const { hooks, calls } = createHooks();
      const kept = hooks[name];
      await calls.cleanup.call({} as never);
      const message = `Hook "${name}" cannot be tapped: the app has ended. Tap the hook in \`apply\` of the plugin.`;
      for (const way of ["tap", "tapPromise", "tapAsync"] as const)
        expect(() => tapUntyped(kept, way, "late", () => undefined)).toThrow(invalid(message));
    },
  );
});
