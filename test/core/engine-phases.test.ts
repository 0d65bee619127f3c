import { describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { Resource } from "../../core/resource/index.js";
import { recorder, rejection, testApps } from "../helpers/apps/apps.ts";
import { newThings, type Things } from "../helpers/apps/things.ts";
import { recordingStore } from "../helpers/stores/recording-store.ts";

const { engine, open } = testApps();

interface Deployed extends Things {
  readonly stateStore: StateStore;
  /** Store calls since the deployment. */
  readonly requests: string[];
}

async function deployed(): Promise<Deployed> {
  const { store: stateStore, calls: requests } = recordingStore();
  const things = newThings();
  const app = await open({ stateStore });
  await program(things);
  await app.finalize();
  requests.length = 0;
  things.calls.length = 0;
  return { ...things, stateStore, requests };
}

async function program({ Thing }: Things): Promise<string[]> {
  const { text } = await Thing("a", { text: "recorded" });
  const inner = await engine.run("child", () => Thing("b", { text: `${text} too` }));
  return [text, inner.text];
}

describe("phase up", () => {
  it("creates what is declared, and updates what has changed", async () => {
    const app = await open();
    const { Thing, calls } = newThings();
    await Thing("a", { text: "1" });
    await app.finalize();
    await app.run(() => Thing("a", { text: "2" }));
    await app.finalize();
    expect(calls).toEqual(["create shop/dev/a", "update shop/dev/a"]);
  });

  it("with force updates what has not changed", async () => {
    const { stateStore, Thing, calls } = await deployed();
    const app = await open({ stateStore, force: true });
    await Thing("a", { text: "recorded" });
    await app.finalize({ noop: true });
    expect(calls).toEqual(["update shop/dev/a"]);
  });

  it("changes nothing, and writes nothing, where nothing has changed", async () => {
    const before = await deployed();
    const app = await open({ stateStore: before.stateStore });
    expect(await program(before)).toEqual(["recorded", "recorded too"]);
    await app.finalize();
    expect(before.calls).toEqual([]);
    expect(before.requests.filter((request) => !/^(get|getMany|has|list) /.test(request))).toEqual([]);
  });
});

describe("phase read", () => {
  it("gives each declaration its recorded output, calls no handler and writes nothing", async () => {
    const before = await deployed();
    const app = await open({ stateStore: before.stateStore, phase: "read" });
    expect(await program(before)).toEqual(["recorded", "recorded too"]);
    await app.finalize();
    expect(before.calls).toEqual([]);
    expect(before.requests.filter((request) => !/^(get|getMany|has|list) /.test(request))).toEqual([]);
  });

  it("gives the recorded output whatever the props are now, and prunes nothing", async () => {
    const { stateStore, Thing, there } = await deployed();
    const app = await open({ stateStore, phase: "read" });
    expect((await Thing("a", { text: "other" })).text).toBe("recorded");
    await app.finalize();
    expect([...there.keys()]).toEqual(["shop/dev/a", "shop/dev/child/b"]);
  });

  it("is NOT_RECORDED for what is not recorded, and KIND_MISMATCH for what has another kind", async () => {
    const { stateStore, Thing } = await deployed();
    const app = await open({ stateStore, phase: "read" });
    expect(await rejection(Thing("absent"))).toMatchObject({ code: "NOT_RECORDED", fqn: "shop/dev/absent" });
    expect(await rejection(newThings().Thing("a"))).toMatchObject({ code: "KIND_MISMATCH", fqn: "shop/dev/a" });
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError" });
  });

  it("does not wait: it works while another run is writing", async () => {
    const { stateStore, Thing } = await deployed();
    const writing = await open({ stateStore });
    await writing.run(() => Thing("c"));
    const reading = await open({ stateStore, phase: "read" });
    expect((await reading.run(() => Thing("a"))).text).toBe("recorded");
    await reading.finalize();
    await writing.finalize({ noop: true });
  });
});

describe("phase destroy", () => {
  it("deletes the whole stage inside engine(), latest first", async () => {
    const { stateStore, calls, there } = await deployed();
    await open({ stateStore, phase: "destroy" });
    expect(calls).toEqual(["delete shop/dev/child/b", "delete shop/dev/a"]);
    expect([...there]).toEqual([]);
  });

  it("lets delete handlers use data, scopes and hooks while engine() has not resolved yet", async () => {
    const stateStore = memoryStore();
    const seen: unknown[] = [];
    const Noting = Resource("test:Noting", {
      create: (context) => context.set("key", "own"),
      async delete(context) {
        seen.push(await context.get("key"), await context.scope.get("key"), await context.scope.has("a"));
        await context.scope.set("seen", true);
        await context.scope.run(async (scope) => seen.push(await scope.get("seen")));
      },
    });
    const app = await open({ stateStore });
    await app.set("key", "root");
    await Noting("a");
    await app.finalize();
    const destroyed = await open({ stateStore, phase: "destroy" });
    expect(seen).toEqual(["own", "root", true, true]);
    await destroyed.finalize();
    expect(await destroyed.get("seen")).toBeUndefined();
  });

  it("gives declarations their recorded outputs, without effect", async () => {
    const before = await deployed();
    const app = await open({ stateStore: before.stateStore, phase: "destroy" });
    before.calls.length = 0;
    expect(await program(before)).toEqual(["recorded", "recorded too"]);
    await app.finalize();
    expect(before.calls).toEqual([]);
    expect(await app.has("a")).toBe(false);
  });

  it("gives unknown values where nothing is recorded", async () => {
    const { stateStore, Thing } = await deployed();
    const app = await open({ stateStore, phase: "destroy" });
    const output = await Thing("new");
    expect(`${output.name}`).toMatch(/^unknownx[0-9a-f]+z$/);
    expect(() => Number(output.text)).toThrow(expect.objectContaining({ code: "UNKNOWN_VALUE" }));
    await app.finalize();
  });

  it("of a stage that holds nothing does nothing and writes nothing", async () => {
    const { store, calls } = recordingStore();
    const app = await open({ stateStore: store, phase: "destroy" });
    await app.finalize();
    expect(calls.filter((call) => !/^(get|getMany|has|list) /.test(call))).toEqual([]);
  });

  it("tells its end once, when all is deleted", async () => {
    const { stateStore } = await deployed();
    const heard = recorder();
    const app = await open({ stateStore, phase: "destroy", plugins: [heard.plugin] });
    const finished = () => heard.events.filter(({ type }) => type === "run:finished");
    expect(finished()).toMatchObject([{ phase: "destroy", ok: true, summary: { deleted: 2 } }]);
    await app.finalize();
    expect(finished()).toHaveLength(1);
  });

  it("that fails rejects in engine(), and the next destroy goes on from there", async () => {
    const { stateStore, there, calls } = await deployed();
    let mayGo = false;
    const refusing = definePlugin({
      name: "refusing",
      apply: ({ hooks }) =>
        hooks.beforeDelete.tap("refusing", ({ id }) => {
          if (id === "a" && !mayGo) throw new Error("Not yet.");
        }),
    });
    const error = await rejection(open({ stateStore, phase: "destroy", plugins: [refusing] }));
    expect(error).toMatchObject({ name: "RunFailedError", errors: [{ fqn: "shop/dev/a" }] });
    expect([...there.keys()]).toEqual(["shop/dev/a"]);
    mayGo = true;
    await open({ stateStore, phase: "destroy", plugins: [refusing] });
    expect([...there.keys()]).toEqual([]);
    expect(calls.filter((call) => call.startsWith("delete"))).toEqual(["delete shop/dev/child/b", "delete shop/dev/a"]);
  });
});

describe("the phase", () => {
  it("is fixed when the scope is created", async () => {
    const app = await open({ phase: "read", stateStore: memoryStore() });
    expect(() => Reflect.set(app, "phase", "up")).not.toThrow();
    expect(app.phase).toBe("read");
  });
});
