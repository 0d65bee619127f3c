import { describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { type EngineOptions, Scope, type StateStore } from "../../core/contract/index.js";
import { rejection, testApps } from "../helpers/apps/apps.ts";
import { newThings } from "../helpers/apps/things.ts";

const { engine, open } = testApps();

/** A store in which stages of "network" publish outputs. */
async function network(...stages: readonly string[]): Promise<StateStore> {
  const stateStore = memoryStore();
  for (const stage of stages) await offer(stateStore, { url: `https://${stage}`, at: new Date(0) }, { stage });
  return stateStore;
}

async function offer(stateStore: StateStore, value: unknown, options: EngineOptions = {}): Promise<void> {
  const app = await open({ stateStore, ...options }, "network");
  await app.outputs(value);
  await app.finalize();
}

describe("engine.ref(appName)", () => {
  it("gives what the stage of the same name offers, or that of the stage which is named", async () => {
    const stateStore = await network("dev", "prod");
    await open({ stateStore });
    expect(await engine.ref("network")).toEqual({ url: "https://dev", at: new Date(0) });
    const { url } = await engine.ref<{ readonly url: string }>("network", { stage: "prod" });
    expect(url).toBe("https://prod");
    expect(await engine.ref("network", { stage: undefined, password: undefined })).toMatchObject({
      url: "https://dev",
    });
  });

  it("gives a value of its own each time", async () => {
    const stateStore = await network("dev");
    await open({ stateStore });
    const [one, two] = await Promise.all([engine.ref<{ url: string }>("network"), engine.ref("network")]);
    one.url = "changed";
    expect(two).toMatchObject({ url: "https://dev" });
  });

  it("works before engine() has resolved, in handlers, child scopes, deferred functions and in props", async () => {
    const stateStore = await network("dev");
    const things = newThings();
    const url = async (): Promise<string> => (await engine.ref<{ url: string }>("network")).url;
    const opening = open({ stateStore });
    const seen: string[] = [await url()];
    const app = await opening;
    things.inside = async () => void seen.push(await url());
    await engine.run("child", async () => seen.push(await url()));
    await things.Thing("in props", { text: url() });
    const deferred = app.defer(url);
    await app.finalize();
    expect([...seen, await deferred]).toEqual(["https://dev", "https://dev", "https://dev", "https://dev"]);
    expect(things.there.get("shop/dev/in props")).toBe("https://dev");
  });

  it.each(["up", "read", "destroy"] as const)("works in the phase %s", async (phase) => {
    const stateStore = await network("dev");
    await open({ stateStore, phase });
    expect(await engine.ref("network")).toMatchObject({ url: "https://dev" });
  });

  it("in the outputs of another app passes on what it gives", async () => {
    const stateStore = await network("dev");
    const app = await open({ stateStore });
    await app.outputs({ network: engine.ref("network") });
    await app.finalize();
    await open({ stateStore }, "reader");
    expect(await engine.ref("shop")).toMatchObject({ network: { url: "https://dev" } });
  });
});

describe("engine.ref and the current scope", () => {
  it("disturb each other at no moment: what is declared meanwhile belongs to the app", async () => {
    const stateStore = await network("dev", "prod");
    const { Thing } = newThings();
    const app = await open({ stateStore });
    const reading = [engine.ref("network"), engine.ref("network", { stage: "prod" })];
    let isOver = false;
    const all = Promise.allSettled(reading).finally(() => {
      isOver = true;
    });
    let turns = 0;
    for (; !isOver; turns++) {
      expect(Scope.current).toBe(app);
      await Thing(`a${turns}`);
    }
    expect(turns).toBeGreaterThan(0);
    expect((await all).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect(Scope.current).toBe(app);
    await app.finalize();
  });

  it("need a live app, and one that is clear", async () => {
    const stateStore = await network("dev");
    expect(await rejection(engine.ref("network"))).toMatchObject({ code: "NO_SCOPE" });
    const one = await open({ stateStore });
    await open({ stateStore }, "two");
    expect(await rejection(engine.ref("network"))).toMatchObject({ code: "AMBIGUOUS_SCOPE" });
    expect(await one.run(() => engine.ref("network"))).toMatchObject({ url: "https://dev" });
    await one.finalize();
  });

  it("are those of the caller, whichever engine made the app", async () => {
    const stateStore = await network("dev");
    const { engine: other } = testApps();
    await open({ stateStore });
    expect(await other.ref("network")).toMatchObject({ url: "https://dev" });
  });
});

describe("engine.ref of the app's own stage", () => {
  it("gives what is recorded by now, by earlier runs and by this one", async () => {
    const stateStore = await network("dev");
    const app = await open({ stateStore }, "network");
    expect(await engine.ref("network")).toMatchObject({ url: "https://dev" });
    await app.outputs("new");
    expect(await engine.ref("network", { stage: "dev" })).toBe("new");
    await app.outputs(undefined);
    expect(await rejection(engine.ref("network"))).toMatchObject({ code: "OUTPUTS_MISSING" });
  });
});

describe("engine.ref that fails", () => {
  it("says that nothing is recorded under that name, and in which store", async () => {
    const stateStore = await network("dev");
    await open({ stateStore });
    for (const [name, stage] of [
      ["network", "prod"],
      ["netwrok", "dev"],
    ] as const) {
      expect(await rejection(engine.ref(name, { stage }))).toMatchObject({
        code: "OUTPUTS_MISSING",
        fqn: `${name}/${stage}`,
        message: `"${name}/${stage}" has no state in memory. Check the names of the app and the stage, or deploy that stage first.`,
      });
    }
  });

  it("says that there is a state, and no outputs in it", async () => {
    const stateStore = memoryStore();
    const app = await open({ stateStore }, "network");
    await app.set("key", 1);
    await app.finalize();
    await open({ stateStore });
    expect(await rejection(engine.ref("network"))).toMatchObject({
      code: "OUTPUTS_MISSING",
      message: expect.stringMatching(
        /^"network\/dev" has a state, but its program offers no outputs. Call app\.outputs/,
      ),
    });
  });

  it("of a stage that was destroyed says that nothing is recorded", async () => {
    const stateStore = await network("dev");
    await (await open({ stateStore, phase: "destroy" }, "network")).finalize();
    await open({ stateStore });
    expect(await rejection(engine.ref("network"))).toMatchObject({
      code: "OUTPUTS_MISSING",
      message: expect.stringContaining('"network/dev" has no state'),
    });
  });

  it("in the phase destroy, for want of outputs, gives an unknown value instead", async () => {
    await open({ phase: "destroy" });
    const gone = await engine.ref<{ url: string }>("network");
    expect(`${gone.url}`).toMatch(/^unknownx/);
    const { Thing } = newThings();
    await Thing("a", { text: gone.url });
    expect(() => Number(gone.url)).toThrow("network/dev.url is not known yet");
  });

  it.each<[string, unknown, unknown, string]>([
    ["an empty name", "", {}, "INVALID_NAME"],
    ["a name that is none", undefined, {}, "INVALID_NAME"],
    ["a stage that is none", "network", { stage: "a/b" }, "INVALID_NAME"],
    ["an empty stage", "network", { stage: "" }, "INVALID_NAME"],
    ["an empty password", "network", { password: "" }, "INVALID_OPTION"],
    ["an option with a slip in it", "network", { stages: "prod" }, "INVALID_OPTION"],
    ["an option of engine()", "network", { phase: "up" }, "INVALID_OPTION"],
    ["options that are none", "network", "prod", "INVALID_OPTION"],
  ])("refuses %s", async (_what, name, options, code) => {
    await open();
    expect(await rejection(Reflect.apply(engine.ref, undefined, [name, options]))).toMatchObject({ code });
  });

  it("fails as engine() does where that fails", async () => {
    const opening = open({ stateStore: () => Reflect.apply(() => undefined, undefined, []) as never });
    const reading = engine.ref("network");
    expect(await rejection(reading)).toBe(await rejection(opening));
  });
});
