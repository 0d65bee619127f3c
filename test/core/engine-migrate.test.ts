import { describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EngineOptions, StateStore } from "../../core/contract/index.js";
import { migrate } from "../helpers/apps/admin-tools.ts";
import { recorder, rejection, testApps } from "../helpers/apps/apps.ts";
import { newThings } from "../helpers/apps/things.ts";

const { engine, open } = testApps();

/** A stage with a resource and outputs that others refer to. */
async function deployed(stateStore: StateStore) {
  const { Thing } = newThings();
  const { plugin, actions } = recorder();
  const program = async (options: EngineOptions) => {
    const app = await open({ stateStore, plugins: [plugin], ...options });
    await app.run(() => Thing("a"));
    await app.outputs("offered");
    await app.finalize();
  };
  await program({});
  return { program, actions };
}

describe("migrate() of the admin", () => {
  it("moves a stage to a store where a run finds nothing to do, and the old one refuses every request", async () => {
    const [old, next] = [memoryStore({ name: "old" }), memoryStore({ name: "new", append: false })];
    const { program, actions } = await deployed(old);
    const moved = await migrate("shop", { stage: "dev", stateStore: old, to: next });
    expect(moved).toEqual({ from: "old", to: "new", resources: 1, wasCopied: false });
    await program({ stateStore: next });
    expect(actions()).toEqual(["created shop/dev/a", "unchanged shop/dev/a"]);
    const refused = { code: "STATE_RETIRED", message: expect.stringContaining("moved to new") };
    const options = { stage: "dev", stateStore: old };
    expect(await rejection(engine("shop", options))).toMatchObject(refused);
    expect(await rejection(engine.plan("shop", options, () => {}))).toMatchObject(refused);
    expect(await rejection(engine.drift("shop", options))).toMatchObject(refused);
    expect(await rejection(engine.up("shop", { ...options, lockTimeout: 60_000 }, () => {}))).toMatchObject(refused);
    const other = await open({ stateStore: old }, "other");
    expect(await rejection(other.run(() => engine.ref("shop")))).toMatchObject(refused);
  });

  it("makes the store that it moves to, for that app, and closes it, be it moved or not", async () => {
    const old = memoryStore();
    await deployed(old);
    const inner = memoryStore({ name: "new" });
    const seen: unknown[] = [];
    const to: EngineOptions["stateStore"] = ({ appName, stage, rootDir }) => {
      seen.push([appName, stage, rootDir]);
      return { ...inner, close: async () => void seen.push("closed") };
    };
    const options = { stateStore: old, rootDir: "/srv/shop", to };
    expect(await rejection(migrate("shop", { ...options, stage: "none" }))).toMatchObject({
      code: "NOT_RECORDED",
    });
    expect(await migrate("shop", { ...options, stage: "dev" })).toMatchObject({ resources: 1 });
    const made = (stage: string) => [["shop", stage, "/srv/shop"], "closed"];
    expect(seen).toEqual([...made("none"), ...made("dev")]);
  });

  it("is refused while a run is at work, which goes on undisturbed", async () => {
    const [old, to] = [memoryStore(), memoryStore()];
    await deployed(old);
    const app = await open({ stateStore: old, lock: "eager" });
    expect(await rejection(migrate("shop", { stage: "dev", stateStore: old, to }))).toMatchObject({
      code: "STATE_LOCKED",
    });
    await app.run(() => newThings().Thing("b"));
    await app.finalize();
  });

  it("ends with the signal that it was given, and says that the state is where it was", async () => {
    const [old, to] = [memoryStore(), memoryStore()];
    const { program } = await deployed(old);
    const stop = new AbortController();
    const progress = () => stop.abort(new Error("no time"));
    const moving = migrate("shop", { stage: "dev", stateStore: old, to, signal: stop.signal, progress });
    expect(await rejection(moving)).toMatchObject({
      code: "ABORTED",
      message: expect.stringContaining("stays in use in the old store"),
    });
    await program({});
    expect(await rejection(open({ stateStore: to }))).toMatchObject({ code: "STATE_INCOMPLETE" });
    await migrate("shop", { stage: "dev", stateStore: old, to });
    await program({ stateStore: to });
  });
});
