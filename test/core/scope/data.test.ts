import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Scope } from "../../../core/contract/index.js";
import { recorder, rejection, testApps } from "../../helpers/apps/apps.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { engine, open } = testApps();

describe("scope.get(key)", () => {
  it("is undefined for an absent key", async () => {
    expect(await (await open()).get("absent")).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["a string", "text"],
    ["an empty string", ""],
    ["zero", 0],
    ["false", false],
    ["null", null],
    ["undefined", undefined],
    ["nested data", { list: [1, { two: [3] }], none: undefined }],
    ["a date", new Date("2024-05-06T07:08:09.123Z")],
    ["a map", new Map([["a", new Set([1])]])],
    ["bytes", new Uint8Array([0, 1, 255])],
    ["a bigint", 2n ** 70n],
    ["a URL", new URL("https://example.com/a?b")],
    ["keys that look like the codec's tags", { $date: "x", "@date": "y", type: "secret", $: 1 }],
  ])("gives %s as it was set, in this run and in the next", async (_name, value) => {
    const stateStore = memoryStore();
    const app = await open({ stateStore });
    await app.set("key", value);
    expect(await app.get("key")).toEqual(value);
    await app.finalize();
    const next = await open({ stateStore });
    expect(await next.get("key")).toEqual(value);
  });

  it("gives a value of its own each time", async () => {
    const app = await open();
    await app.set("key", { list: [1] });
    const first = await app.get<{ list: number[] }>("key");
    first?.list.push(2);
    expect(await app.get("key")).toEqual({ list: [1] });
  });

  it("works on an app that is finalized", async () => {
    const app = await open();
    await app.set("key", 1);
    await app.finalize();
    expect(await app.get("key")).toBe(1);
  });

  it.each([[""], [undefined], [7]])("refuses %j as a key", async (key) => {
    const app = await open();
    expect(await rejection(Reflect.apply(app.get, app, [key]))).toMatchObject({ code: "INVALID_CALL" });
    expect(await rejection(Reflect.apply(app.set, app, [key, 1]))).toMatchObject({ code: "INVALID_CALL" });
    expect(await rejection(Reflect.apply(app.delete, app, [key]))).toMatchObject({ code: "INVALID_CALL" });
  });
});

describe("scope.set(key, value)", () => {
  it("replaces the value", async () => {
    const app = await open();
    await app.set("key", 1);
    await app.set("key", 2);
    expect(await app.get("key")).toBe(2);
  });

  it("keeps the order of calls that were not awaited", async () => {
    const app = await open();
    const calls = [app.set("key", 1), app.set("key", 2), app.delete("key"), app.set("key", 3)];
    await Promise.all(calls);
    expect(await app.get("key")).toBe(3);
  });

  it("stores the value as it was at the call", async () => {
    const app = await open();
    const value = { count: 1 };
    const stored = app.set("key", value);
    value.count = 2;
    await stored;
    expect(await app.get("key")).toEqual({ count: 1 });
  });

  it("of an unchanged value writes nothing", async () => {
    const heard = recorder();
    const stateStore = memoryStore();
    const app = await open({ stateStore });
    await app.set("key", { a: 1, b: 2 });
    await app.finalize();
    const next = await open({ stateStore, plugins: [heard.plugin] });
    await next.set("key", { b: 2, a: 1 });
    await next.delete("absent");
    await next.finalize();
    expect(heard.events.filter(({ type }) => type.startsWith("state:"))).toEqual([]);
  });

  it("refuses what cannot be stored, naming the place in it", async () => {
    const app = await open();
    expect(await rejection(app.set("key", { list: [() => 1] }))).toMatchObject({
      code: "UNSERIALIZABLE",
      message: expect.stringContaining(`The value of "key": Cannot record $.list[0]`),
    });
  });

  it("is refused on an app that is finalized, whose session is closed", async () => {
    const app = await open();
    await app.finalize();
    expect(await rejection(app.set("key", 1))).toMatchObject({ code: "NO_SCOPE" });
    expect(await rejection(app.delete("key"))).toMatchObject({ code: "NO_SCOPE" });
    await app.run(() => app.set("key", 2));
    expect(await app.get("key")).toBe(2);
  });

  it("works before engine() has resolved", async () => {
    const opened = open();
    await Scope.current.set("key", 1);
    expect(await (await opened).get("key")).toBe(1);
  });
});

describe("scope.delete(key)", () => {
  it("makes the key absent", async () => {
    const app = await open();
    await app.set("key", 1);
    await app.delete("key");
    expect(await app.get("key")).toBeUndefined();
  });

  it("of an absent key does nothing", async () => {
    const app = await open();
    await app.delete("key");
    expect(await app.get("key")).toBeUndefined();
  });
});

describe("scope data", () => {
  it("belongs to its scope alone", async () => {
    const app = await open();
    await app.set("key", "root");
    await engine.run("a", async (a) => {
      expect(await a.get("key")).toBeUndefined();
      await a.set("key", "a");
      await engine.run("b", (b) => b.set("key", "a/b"));
    });
    await engine.run("b", async (b) => expect(await b.get("key")).toBeUndefined());
    expect(await app.get("key")).toBe("root");
    expect(await app.children.get("a")?.get("key")).toBe("a");
  });

  it("belongs to its stage alone", async () => {
    const stateStore = memoryStore();
    const dev = await open({ stateStore });
    const prod = await open({ stateStore, stage: "prod" });
    await dev.set("key", "dev");
    expect(await prod.get("key")).toBeUndefined();
  });

  it("is not mixed up with resources of the same name", async () => {
    const app = await open();
    const { Thing } = newThings();
    await Thing("key", { text: "thing" });
    await app.set("key", "data");
    expect(await app.get("key")).toBe("data");
    expect(await app.resources.get("key")).toMatchObject({ text: "thing" });
  });

  it("survives a run that prunes everything", async () => {
    const stateStore = memoryStore();
    const app = await open({ stateStore });
    await app.set("key", 1);
    await app.finalize();
    await (await open({ stateStore })).finalize();
    expect(await (await open({ stateStore })).get("key")).toBe(1);
  });

  it("is READ_ONLY in the read phase, which still gives it", async () => {
    const stateStore = memoryStore();
    const app = await open({ stateStore });
    await app.set("key", 1);
    await app.finalize();
    const reading = await open({ stateStore, phase: "read" });
    expect(await reading.get("key")).toBe(1);
    expect(await rejection(reading.set("key", 2))).toMatchObject({ code: "READ_ONLY" });
    expect(await rejection(reading.delete("key"))).toMatchObject({ code: "READ_ONLY" });
  });

  it("is gone after the phase destroy, which a program that sets it again does not change", async () => {
    const stateStore = memoryStore();
    const app = await open({ stateStore });
    await app.set("key", 1);
    await engine.run("child", (child) => child.set("key", 1));
    await app.finalize();
    const destroying = await open({ stateStore, phase: "destroy" });
    await destroying.set("key", 2);
    await destroying.delete("other");
    await destroying.finalize();
    const next = await open({ stateStore });
    expect(await next.get("key")).toBeUndefined();
    expect(await engine.run("child", (child) => child.get("key"))).toBeUndefined();
  });
});
