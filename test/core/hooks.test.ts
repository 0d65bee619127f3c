import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../core/base/index.js";
import type { EngineHooks, HookName } from "../../core/contract/index.js";
import { createHooks } from "../../core/plugin/index.js";
import { openHook } from "../helpers/apps/open-hook.ts";

const kind = { kind: "fs:File", fqn: "shop/dev/index" };
const noOptions = { appName: "shop", options: {}, origins: {}, warnings: [] };
const seriesHooks = [
  "stateLoaded",
  "scopeCreated",
  "props",
  "beforeApply",
  "afterApply",
  "applyFailed",
  "beforeDelete",
  "afterDelete",
  "deleteFailed",
  "beforePrune",
  "scopePruned",
  "beforeDestroy",
  "scopeDestroyed",
  "beforeFinalize",
  "afterFinalize",
] as const;
const firstAnswerHooks = ["stateStore", "resolveKind", "ask", "tunnel", "unseal"] as const;
const syncHooks = ["stateKey", "encodeValue", "decodeValue", "exec", "spawn", "seal"] as const;
const waterfallHooks = ["options", "redact"] as const;
const aroundHooks = ["storeRequest", "handler"] as const;
const everyHook: readonly HookName[] = [
  ...waterfallHooks,
  ...aroundHooks,
  ...seriesHooks,
  ...firstAnswerHooks,
  ...syncHooks,
  "cleanup",
];

describe("the table", () => {
  it("has a hook and a call for each name, and nothing else", () => {
    const { hooks, calls } = createHooks();
    for (const table of [hooks, calls]) expect(Object.keys(table).sort()).toEqual([...everyHook].sort());
  });

  it("lets plugins tap, but neither call nor change", () => {
    const { hooks } = createHooks();
    expect(Object.isFrozen(hooks)).toBe(true);
    for (const hook of Object.values<EngineHooks[HookName]>({ ...hooks })) {
      expect(Object.isFrozen(hook)).toBe(true);
      // A plugin that changed the methods would change them for all engines.
      expect(Object.isFrozen(Object.getPrototypeOf(hook))).toBe(true);
    }
  });

  it("is created for each engine", () => {
    const one = createHooks();
    one.hooks.cleanup.tap("a", () => undefined);
    expect(createHooks().calls.cleanup.used).toBe(false);
  });

  it.each(everyHook)("%s is used once it is tapped", (name) => {
    const { tap, isUsed } = openHook(name);
    expect(isUsed()).toBe(false);
    tap("a", () => undefined);
    expect(isUsed()).toBe(true);
  });

  it.each(everyHook)("%s refuses a tap that is not a function, naming plugin and hook", (name) => {
    const message = `Hook "${name}" cannot be tapped: plugin "audit" passed undefined instead of a function.`;
    expect(() => openHook(name).tap("audit", undefined)).toThrow(
      expect.objectContaining({ code: "INVALID_DEFINITION", message }),
    );
  });

  it.each([[""], [" "], [undefined], [{}], [{ name: " " }], [{ stage: -1 }]])(
    "refuses %j as the name of a plugin",
    (plugin) => {
      expect(() => openHook("props").tap(plugin, () => undefined)).toThrow(
        expect.objectContaining({
          code: "INVALID_DEFINITION",
          message: expect.stringMatching(/name of the plugin|no plugin name/),
        }),
      );
    },
  );
});

describe.each(seriesHooks)("the series %s", (name) => {
  it("does nothing without a tap", async () => {
    await expect(openHook(name).call(kind)).resolves.toBeUndefined();
  });

  it("awaits every tap, in the order of installation, each with the context", async () => {
    const { tap, call } = openHook(name);
    const seen: unknown[] = [];
    tap("slow", async (context: unknown) => {
      await setImmediate();
      seen.push("slow", context);
    });
    tap("plain", (context: unknown) => seen.push("plain", context));
    await call(kind);
    expect(seen).toEqual(["slow", kind, "plain", kind]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("No.");
      },
    ],
    [
      "rejects",
      async () => {
        await setImmediate();
        throw new Error("No.");
      },
    ],
  ])("stops at a tap that %s, naming plugin, hook and resource", async (_how, fail) => {
    const { tap, call } = openHook(name);
    tap("policy", fail);
    tap("later", () => {
      throw new Error("never reached");
    });
    await expect(call(kind)).rejects.toThrow(
      expect.objectContaining({
        code: "PLUGIN_FAILED",
        message: `Plugin "policy" failed in hook "${name}": No.`,
        fqn: "shop/dev/index",
        cause: expect.objectContaining({ message: "No." }),
      }),
    );
  });
});

describe("the waterfall of options", () => {
  it("returns the context unchanged without a tap", () => {
    expect(createHooks().calls.options.call(noOptions)).toBe(noOptions);
  });

  it("passes on an error about user input unchanged", () => {
    const { hooks, calls } = createHooks();
    const error = new EngineError("INVALID_ARGUMENT", "Argument --stage needs a value.");
    hooks.options.tap("a", () => {
      throw error;
    });
    expect(() => calls.options.call(noOptions)).toThrow(error);
  });

  it("gives each tap what the one before returned", () => {
    const { hooks, calls } = createHooks();
    hooks.options.tap("a", (context) => ({ ...context, options: { ...context.options, stage: "a" } }));
    hooks.options.tap("b", (context) => ({
      ...context,
      options: { ...context.options, profile: `${context.options.stage}b` },
    }));
    expect(calls.options.call(noOptions).options).toEqual({ stage: "a", profile: "ab" });
  });

  it.each([
    ["undefined", undefined],
    ["null", null],
    ["boolean", true],
    ["string", "stage"],
  ])("is an error when a tap returns %s", (type, answer) => {
    const { tap, call } = openHook("options");
    tap("forgetful", () => answer);
    expect(() => call(noOptions)).toThrow(
      expect.objectContaining({
        code: "PLUGIN_FAILED",
        message: `Plugin "forgetful" failed in hook "options": a tap must return the context with its additions; it returned ${type}.`,
      }),
    );
  });

  it("is an error when a tap returns a promise", () => {
    const { tap, call } = openHook("options");
    tap("hasty", async (context: unknown) => context);
    expect(() => call(noOptions)).toThrow('Plugin "hasty" failed in hook "options": the hook is synchronous');
  });
});

describe("cleanup", () => {
  it("has no errors without a tap", async () => {
    await expect(openHook("cleanup").call({})).resolves.toEqual([]);
  });

  it("runs every tap, one after the other, and collects what fails", async () => {
    const { tap, call } = openHook("cleanup");
    const seen: string[] = [];
    tap("first", async () => {
      seen.push("first begins");
      await setImmediate();
      seen.push("first ends");
      throw new Error("one");
    });
    tap("second", () => {
      seen.push("second");
      throw new Error("two");
    });
    tap("third", () => void seen.push("third"));
    await expect(call({})).resolves.toEqual([
      expect.objectContaining({ code: "PLUGIN_FAILED", message: 'Plugin "first" failed in hook "cleanup": one' }),
      expect.objectContaining({ code: "PLUGIN_FAILED", message: 'Plugin "second" failed in hook "cleanup": two' }),
    ]);
    expect(seen).toEqual(["first begins", "first ends", "second", "third"]);
  });

  it("gives its taps the context and nothing else", async () => {
    const { tap, call } = openHook("cleanup");
    let given: readonly unknown[] = [];
    tap("curious", (...args: unknown[]) => {
      given = args;
    });
    await call(kind);
    expect(given).toEqual([kind]);
  });

  it("collects again on each call", async () => {
    const { tap, call } = openHook("cleanup");
    tap("first", () => {
      throw new Error("one");
    });
    await call({});
    await expect(call({})).resolves.toHaveLength(1);
  });
});

describe("what a tap throws", () => {
  it("keeps its code and FQN when it is an EngineError", async () => {
    const { hooks, calls } = createHooks();
    const cause = new EngineError("ABORTED", "The run was interrupted.", { fqn: "shop/dev/db" });
    hooks.resolveKind.tap("audit", () => {
      throw cause;
    });
    await expect(calls.resolveKind.call(kind)).rejects.toThrow(
      expect.objectContaining({
        code: "ABORTED",
        message: 'Plugin "audit" failed in hook "resolveKind": The run was interrupted.',
        fqn: "shop/dev/db",
        cause,
      }),
    );
  });

  it.each([[undefined], ["text"], [null], [7]])("may be %j, and is an EngineError then", async (thrown) => {
    const { tap, call } = openHook("resolveKind");
    tap("odd", async () => Promise.reject(thrown));
    const failure = call(kind);
    await expect(failure).rejects.toBeInstanceOf(EngineError);
    await expect(failure).rejects.toThrow(`Plugin "odd" failed in hook "resolveKind": ${thrown}`);
  });
});
