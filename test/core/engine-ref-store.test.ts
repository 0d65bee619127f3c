/** Store requests of a reference: the ones it makes, and the ones it avoids. */
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { Scope, StateStore } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { recorder, rejection, testApps } from "../helpers/apps/apps.ts";
import { newThings } from "../helpers/apps/things.ts";
import { gatedStore } from "../helpers/stores/gated-store.ts";
import { faultyStore, recordingStore, storeAround } from "../helpers/stores/store-around.ts";

const { engine, open } = testApps();

async function offer(stateStore: StateStore, value: unknown, before?: (app: Scope) => Promise<unknown>): Promise<void> {
  const app = await open({ stateStore }, "network");
  await app.run(async () => void (await before?.(app)));
  await app.outputs(value);
  await app.finalize();
}

describe("engine.ref and the store", () => {
  it.each<[boolean, readonly string[]]>([
    [true, ["list checkpoint", "get journal/4", "get checkpoint/3"]],
    [false, ["list", "get journal/4", "get checkpoint/3", "list"]],
  ])("makes as few requests as an unchanged run, and no write, however much there is", async (append, requests) => {
    const { store, take } = recordingStore(memoryStore({ append }));
    const { Thing } = newThings();
    await offer(store, 1, () => Promise.all(Array.from({ length: 500 }, (_, index) => Thing(`a${index}`))));
    await open({ stateStore: store });
    take();
    await engine.ref("network");
    expect(take().map((request) => request.replace(/\d+$/, "N"))).toEqual(
      requests.map((request) => request.replace(/\d+$/, "N")),
    );
  });

  it("reads each stage once in a run, for all callers, and again in the next one", async () => {
    const { store, calls } = recordingStore(memoryStore());
    const lists = (): number =>
      calls.splice(0).filter(({ op, key }) => op === "list" && key.startsWith("network")).length;
    await offer(store, "one");
    const app = await open({ stateStore: store });
    lists();
    expect(await Promise.all([engine.ref("network"), engine.ref("network", { stage: "dev" })])).toEqual(["one", "one"]);
    await engine.run("child", () => engine.ref("network"));
    expect(lists()).toBe(1);
    await app.finalize();
    await offer(store, "two");
    lists();
    await app.run(async () => expect(await engine.ref("network")).toBe("two"));
    expect(lists()).toBe(1);
    await app.finalize();
  });

  it("does not keep a load that failed, nor that there was nothing", async () => {
    const memory = memoryStore();
    let isDown = true;
    const stateStore = faultyStore(memory, ({ key }) => (isDown && key.startsWith("network") ? "refused" : undefined));
    const app = await open({ stateStore });
    expect(await rejection(engine.ref("network"))).toMatchObject({ message: expect.stringContaining("was refused") });
    isDown = false;
    expect(await rejection(engine.ref("network"))).toMatchObject({ code: "OUTPUTS_MISSING" });
    await offer(memory, "there");
    expect(await app.run(() => engine.ref("network"))).toBe("there");
  });

  it("passes on what is wrong with the other state", async () => {
    const memory = memoryStore();
    await offer(memory, "there");
    const damaged = storeAround(memory, async ({ key, op }, act) => {
      const answer = await act();
      return op === "get" && key.includes("network/dev/checkpoint") ? (`${answer}x` as never) : answer;
    });
    await open({ stateStore: damaged });
    expect(await rejection(engine.ref("network"))).toMatchObject({ code: "STATE_CORRUPT" });
  });

  it("uses the one that a factory has made for the run, and closes it only with the run", async () => {
    const memory = memoryStore();
    await offer(memory, "there");
    const told: string[] = [];
    const make = ({ appName }: { appName: string }): StateStore => {
      told.push(`made for ${appName}`);
      return { ...memory, close: async () => void told.push("closed") };
    };
    const viaHook = definePlugin({ name: "via-hook", apply: ({ hooks }) => hooks.stateStore.tap("via-hook", make) });
    for (const options of [{ stateStore: make }, { plugins: [viaHook], stateStore: undefined }]) {
      const app = await open(options);
      expect(await engine.ref("network")).toBe("there");
      expect(told).toEqual(["made for shop"]);
      await app.finalize();
      expect(told.splice(0)).toEqual(["made for shop", "closed"]);
    }
  });

  it("keeps it open until it has read, although the reference is not awaited", async () => {
    const memory = memoryStore();
    await offer(memory, "there");
    const gated = gatedStore(memory);
    let isClosed = false;
    const close = async (): Promise<void> => {
      isClosed = true;
    };
    const app = await open({ stateStore: () => ({ ...gated.store, close }) });
    gated.hold(/checkpoint/);
    const reading = engine.ref("network");
    const ending = app.finalize();
    const held = await gated.reached(/checkpoint/);
    expect(isClosed).toBe(false);
    gated.hold(undefined);
    await held.answer();
    expect(await reading).toBe("there");
    await ending;
    expect(isClosed).toBe(true);
  });

  it("waits for no run that is at work there, and sees all of what that has recorded or nothing", async () => {
    const { Thing } = newThings();
    const stateStore = memoryStore();
    await offer(stateStore, { a: 0, b: 0 });
    const other = await open({ stateStore, durability: "full" }, "network");
    const app = await open({ stateStore });
    for (const round of [1, 2, 3]) {
      await other.run(() => Thing(`thing${round}`));
      await other.outputs({ a: round, b: round });
      const before = await app.run(() => engine.ref<{ a: number; b: number }>("network"));
      expect(before).toEqual({ a: 1, b: 1 });
    }
    await app.finalize();
    await other.finalize();
    await app.run(async () => expect(await engine.ref("network")).toEqual({ a: 3, b: 3 }));
    await app.finalize();
  });
});

describe("engine.ref and plugins", () => {
  it("has the values decoded by the app's own plugins, which see no second run", async () => {
    class Money {
      readonly cents: number;
      constructor(cents: number) {
        this.cents = cents;
      }
    }
    const money = definePlugin({
      name: "money",
      apply({ hooks }) {
        hooks.encodeValue.tap("money", ({ value }) => (value instanceof Money ? { $money: value.cents } : undefined));
        hooks.decodeValue.tap("money", ({ tag, body }) =>
          tag === "$money" ? { value: new Money(Number(body)) } : undefined,
        );
      },
    });
    const stateStore = memoryStore();
    const first = await open({ stateStore, plugins: [money] }, "network");
    await first.outputs({ price: new Money(250) });
    await first.finalize();
    const heard = recorder();
    const app = await open({ stateStore, plugins: [money, heard.plugin] });
    expect(await engine.ref("network")).toEqual({ price: new Money(250) });
    await app.finalize();
    const names = heard.events.flatMap((event) => ("app" in event ? [`${event.type} ${event.app}`] : []));
    expect(names).toEqual(["run:started shop", "run:finished shop"]);
    await open({ stateStore });
    expect(await rejection(engine.ref("network"))).toMatchObject({ code: "STATE_CORRUPT" });
  });
});
