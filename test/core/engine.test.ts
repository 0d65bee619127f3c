import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { EngineError } from "../../core/base/index.js";
import { Scope, type StateStore } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { recorder, rejection, testApps } from "../helpers/apps/apps.ts";
import { untyped } from "../helpers/apps/options.ts";
import { newThings } from "../helpers/apps/things.ts";

const { engine, open } = testApps();

describe("engine()", () => {
  it("makes the root scope and enters it before it awaits anything", async () => {
    const opened = open({}, "early");
    expect(Scope.current.appName).toBe("early");
    expect(Scope.current).toBe(await opened);
  });

  it("resolves with the root scope", async () => {
    const app = await open();
    expect(app).toBeInstanceOf(Scope);
    expect(app.root).toBe(app);
    expect(app.parent).toBeUndefined();
  });

  it("lets a program declare resources before it has loaded the state", async () => {
    const { Thing, there } = newThings();
    const opened = open();
    const thing = Thing("a", { text: "early" });
    const app = await opened;
    expect((await thing).text).toBe("early");
    await app.finalize();
    expect([...there]).toEqual([["shop/dev/a", "early"]]);
  });

  it.each([
    ["an empty name", ""],
    ["a name with a slash", "a/b"],
    ["..", ".."],
    ["a control character", "a\nb"],
    ["a name that is too long", "x".repeat(257)],
  ])("rejects %s as the app's with INVALID_NAME", async (_case, name) => {
    expect(await rejection(open({}, name))).toMatchObject({ code: "INVALID_NAME" });
  });

  it("rejects a name that is not a string with INVALID_NAME", async () => {
    expect(await rejection(Reflect.apply(engine, undefined, [undefined]))).toMatchObject({ code: "INVALID_NAME" });
  });

  it("rejects without a state store, and says how to give one", async () => {
    expect(await rejection(open({ stateStore: undefined }))).toMatchObject({
      code: "INVALID_OPTION",
      message: "There is no state store. Pass { stateStore }, or install a plugin that chooses one.",
    });
  });

  it("leaves no live app behind when it rejects", async () => {
    const broken: StateStore = { ...memoryStore(), get: () => Promise.reject(new Error("The disk is gone.")) };
    await rejection(open({ stateStore: broken }));
    expect(() => Scope.current).toThrow(expect.objectContaining({ code: "NO_SCOPE" }));
  });

  it("closes the store that it had made when it rejects", async () => {
    let closed = 0;
    const broken: StateStore = {
      ...memoryStore(),
      get: () => Promise.reject(new Error("The disk is gone.")),
      close: async () => void closed++,
    };
    await rejection(open({ stateStore: () => broken }));
    expect(closed).toBe(1);
  });

  it("closes the store that it has made at finalize, and never one that it was given", async () => {
    const closed: string[] = [];
    const store = (name: string): StateStore => ({ ...memoryStore(), close: async () => void closed.push(name) });
    const made = await open({ stateStore: () => store("made") }, "made");
    const given = await open({ stateStore: store("given") }, "given");
    await made.finalize();
    await given.finalize();
    expect(closed).toEqual(["made"]);
  });

  it("passes an immediate failure to every caller that declared something meanwhile", async () => {
    const { Thing } = newThings();
    const broken: StateStore = { ...memoryStore(), get: () => Promise.reject(new Error("The disk is gone.")) };
    const opened = open({ stateStore: broken });
    const thing = Thing("a");
    expect(await rejection(opened)).toMatchObject({ message: expect.stringContaining("The disk is gone.") });
    expect(await rejection(thing)).toMatchObject({ message: expect.stringContaining("The disk is gone.") });
  });
});

describe("an option of engine()", () => {
  it("that does not exist is INVALID_OPTION, with the nearest one that does", async () => {
    expect(await rejection(open(untyped({ stagee: "x" })))).toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining('Did you mean "stage"?'),
    });
  });

  it("that is undefined counts as absent", async () => {
    const app = await open({ quiet: undefined, phase: undefined, rootDir: undefined });
    expect([app.quiet, app.phase, app.rootDir]).toEqual([false, "up", process.cwd()]);
  });

  it("eraseSecrets without force is ERASE_REQUIRES_FORCE", async () => {
    expect(await rejection(open({ eraseSecrets: true }))).toMatchObject({ code: "ERASE_REQUIRES_FORCE" });
  });

  it("signal, aborted before the start, stops the run before it begins", async () => {
    const { Thing, calls } = newThings();
    const app = await open({ signal: AbortSignal.abort("too late") });
    expect(app.signal.aborted).toBe(true);
    expect(await rejection(Thing("a"))).toMatchObject({ code: "ABORTED" });
    expect(calls).toEqual([]);
  });

  it("signal keeps no listener of a run that is finalized", async () => {
    const controller = new AbortController();
    const app = await open({ signal: controller.signal });
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    await app.finalize();
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("signal keeps no listener of a run that could not start", async () => {
    const controller = new AbortController();
    await rejection(open({ signal: controller.signal, stateStore: undefined }));
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("plugins are installed in their order, after those that the engine was made with", async () => {
    const order: string[] = [];
    const named = (name: string) => definePlugin({ name, apply: () => void order.push(name) });
    const equipped = createEngine({ plugins: [named("built-in")] });
    const app = await equipped("shop", { stateStore: memoryStore(), plugins: [named("a"), named("b")] });
    await app.finalize();
    expect(order).toEqual(["built-in", "a", "b"]);
  });

  it("env and argv are not read by the core", async () => {
    const app = await open({ stage: undefined, argv: ["--stage", "prod"], env: { STAGE: "prod" } });
    expect(app.stage).toBe("dev");
  });
});

describe("the events of a run", () => {
  it("tell its start, its scopes and its end once each", async () => {
    const heard = recorder();
    const app = await open({ plugins: [heard.plugin] });
    await app.finalize();
    expect(heard.events.map(({ type }) => type)).toEqual(["run:started", "scope:created", "run:finished"]);
    expect(heard.events.at(-1)).toMatchObject({ app: "shop", stage: "dev", phase: "up", ok: true });
  });

  it("carry errors of the library as EngineError with code and FQN", async () => {
    const { Thing } = newThings();
    const app = await open();
    const error = await rejection(Thing("a", { fails: "No paper." }));
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ code: "HANDLER_FAILED", fqn: "shop/dev/a" });
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError", fqn: "shop/dev" });
  });
});
