import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { recorder, rejection, testApps } from "../../helpers/apps/apps.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { engine, open } = testApps();

describe("await using", () => {
  it("never prunes, and says what it left", async () => {
    const stateStore = memoryStore();
    const heard = recorder();
    const { Thing, there } = newThings();
    const first = await open({ stateStore });
    await Promise.all([Thing("a"), Thing("b")]);
    await first.finalize();
    {
      await using app = await open({ stateStore, plugins: [heard.plugin] });
      await app.run(() => Thing("a"));
    }
    expect([...there.keys()]).toEqual(["shop/dev/a", "shop/dev/b"]);
    expect(heard.events).toContainEqual({
      type: "warning",
      code: "NOT_FINALIZED",
      message:
        'The run of "shop/dev" ends without finalize(), so nothing was pruned, and 2 resources stay recorded. Await app.finalize() at the end of the program, or use engine.up().',
    });
  });

  it("keeps what was not reached when an exception passes, which it does not replace", async () => {
    const stateStore = memoryStore();
    const { Thing, there } = newThings();
    const first = await open({ stateStore });
    await Promise.all([Thing("a"), Thing("b")]);
    await first.finalize();
    const error = new Error("Half-way.");
    const program = async () => {
      await using app = await open({ stateStore });
      await app.run(() => Thing("a"));
      throw error;
    };
    expect(await rejection(program())).toBe(error);
    expect([...there.keys()]).toEqual(["shop/dev/a", "shop/dev/b"]);
  });

  it("waits for resources that were not awaited, records them and closes the session", async () => {
    const stateStore = memoryStore();
    const heard = recorder();
    const { Thing } = newThings();
    {
      await using app = await open({ stateStore });
      void app.run(() => void Thing("a"));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const next = await open({ stateStore, plugins: [heard.plugin] });
    expect(await next.has("a")).toBe(true);
    expect(heard.events.map(({ type }) => type)).not.toContain("state:taken-over");
  });

  it("does nothing after finalize", async () => {
    const heard = recorder();
    {
      await using app = await open({ plugins: [heard.plugin] });
      await app.finalize();
    }
    expect(heard.warnings()).toEqual([]);
    expect(heard.events.filter(({ type }) => type === "run:finished")).toHaveLength(1);
  });

  it("does not hide the error of a finalize that failed behind the same error", async () => {
    const { Thing } = newThings();
    const program = async () => {
      await using app = await open();
      await rejection(Thing("a", { fails: "No paper." }));
      await app.finalize();
    };
    expect(await rejection(program())).toMatchObject({ name: "RunFailedError" });
  });

  it("of a child scope does not hide the error that passes behind what that has failed", async () => {
    await open();
    const { Thing } = newThings();
    const broken = engine.run("child", async (scope) => {
      await using _child = scope;
      await Thing("a", { fails: "No paper." });
    });
    expect(await rejection(broken)).toMatchObject({ code: "HANDLER_FAILED", fqn: "shop/dev/child/a" });
  });

  it("of a child scope runs its deferred functions, prunes nothing, and leaves the app live", async () => {
    const stateStore = memoryStore();
    const { Thing, there } = newThings();
    const first = await open({ stateStore });
    await engine.run("child", () => Thing("a"));
    await first.finalize();
    await open({ stateStore });
    let deferred = false;
    await engine.run("child", async (scope) => {
      await using child = scope;
      void child.defer(() => {
        deferred = true;
      });
    });
    expect(deferred).toBe(true);
    expect([...there.keys()]).toEqual(["shop/dev/child/a"]);
    await Thing("b");
  });
});
