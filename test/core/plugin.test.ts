import { describe, expect, it } from "vitest";
import { EngineError } from "../../core/base/index.js";
import type { EnginePlugin, PluginHost } from "../../core/contract/index.js";
import { definePlugin, installPlugins } from "../../core/plugin/index.js";
import { arrangePlugins } from "../../core/plugin/plugin.js";
import { newHost } from "../helpers/apps/plugin-host.ts";

const plugin = (name: string, replaces?: string): EnginePlugin => ({ name, replaces, apply() {} });
const names = (plugins: readonly EnginePlugin[]) => arrangePlugins(plugins).map(({ name }) => name);

describe("definePlugin", () => {
  it("returns the plugin that it was given", () => {
    const audit = plugin("audit");
    expect(definePlugin(audit)).toBe(audit);
  });

  it.each([
    ["nothing", undefined, "A plugin needs a name"],
    ["null", null, "A plugin needs a name"],
    ["no name", { apply() {} }, "A plugin needs a name"],
    ["an empty name", { name: "", apply() {} }, "A plugin needs a name"],
    ["no apply", { name: "audit" }, 'Plugin "audit" needs an apply(engine) function.'],
    ["its factory instead of itself", () => plugin("audit"), "A function is not a plugin. Call the factory"],
    ["an empty name to replace", plugin("audit", ""), 'Plugin "audit" must name the plugin that it replaces'],
  ])("refuses %s", (_case, value, message) => {
    expect(() => Reflect.apply(definePlugin, undefined, [value])).toThrow(
      expect.objectContaining({ code: "INVALID_DEFINITION", message: expect.stringContaining(message) }),
    );
  });
});

describe("arrangePlugins", () => {
  it("keeps the order of installation", () => {
    expect(names([plugin("b"), plugin("a"), plugin("c")])).toEqual(["b", "a", "c"]);
  });

  it("puts a replacement in the place of what it replaces", () => {
    expect(names([plugin("a"), plugin("b"), plugin("c"), plugin("mine", "b")])).toEqual(["a", "mine", "c"]);
  });

  it("lets a plugin replace its namesake", () => {
    const second = plugin("a", "a");
    expect(arrangePlugins([plugin("a"), plugin("b"), second])).toEqual([
      second,
      expect.objectContaining({ name: "b" }),
    ]);
  });

  it("lets a replacement be replaced by its own name", () => {
    expect(names([plugin("a"), plugin("b", "a"), plugin("c", "b")])).toEqual(["c"]);
  });

  it("refuses two of one name", () => {
    expect(() => arrangePlugins([plugin("a"), plugin("a")])).toThrow(
      expect.objectContaining({
        code: "PLUGIN_CONFLICT",
        message: 'Plugin "a" is installed twice. Leave one out, or give the second { replaces: "a" }.',
      }),
    );
  });

  it("refuses a replacement whose own name is taken by a third", () => {
    expect(() => arrangePlugins([plugin("a"), plugin("b"), plugin("b", "a")])).toThrow(
      expect.objectContaining({ code: "PLUGIN_CONFLICT", message: expect.stringContaining('"b" is installed twice') }),
    );
  });

  it("refuses a replacement of what is not installed before it", () => {
    expect(() => arrangePlugins([plugin("mine", "a"), plugin("a")])).toThrow(
      expect.objectContaining({
        code: "PLUGIN_CONFLICT",
        message:
          'Plugin "mine" replaces "a", but no plugin "a" is installed before it. Install that plugin first, or remove "replaces".',
      }),
    );
  });

  it("checks each plugin", () => {
    expect(() => Reflect.apply(arrangePlugins, undefined, [[{ name: "a" }]])).toThrow(
      "needs an apply(engine) function",
    );
  });
});

describe("installPlugins", () => {
  it("applies the plugins in their order, with the engine's hooks and events, and none that was replaced", () => {
    const host = newHost();
    const seen: unknown[] = [];
    const noting = (name: string, replaces?: string) => ({
      name,
      replaces,
      apply: (engine: PluginHost) => void seen.push(name, engine),
    });
    installPlugins([noting("a"), noting("b"), noting("c", "a")], host);
    expect(seen).toEqual(["c", host, "b", host]);
  });

  it("keeps the plugin as this of its apply", () => {
    const own = {
      name: "own",
      installed: false,
      apply() {
        this.installed = true;
      },
    };
    installPlugins([own], newHost());
    expect(own.installed).toBe(true);
  });

  it("names the plugin whose apply throws", () => {
    const cause = new Error("No.");
    const broken = {
      name: "broken",
      apply: () => {
        throw cause;
      },
    };
    expect(() => installPlugins([broken], newHost())).toThrow(
      expect.objectContaining({ code: "PLUGIN_FAILED", message: 'Plugin "broken" could not be installed: No.', cause }),
    );
  });

  it("keeps the code of an EngineError", () => {
    const broken = {
      name: "broken",
      apply: () => {
        throw new EngineError("INVALID_OPTION", "Give a bucket.");
      },
    };
    expect(() => installPlugins([broken], newHost())).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });

  it.each([
    ["resolves", async () => undefined],
    ["rejects", async () => Promise.reject(new Error("unheard"))],
  ])("refuses an asynchronous apply that %s, whose taps could come too late", (_how, apply) => {
    expect(() => installPlugins([{ name: "hasty", apply }], newHost())).toThrow(
      expect.objectContaining({
        code: "PLUGIN_FAILED",
        message: 'Plugin "hasty" could not be installed: apply must not be asynchronous.',
      }),
    );
  });
});
