import { describe, expect, it } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { CleanupStack } from "../../../core/run/index.js";
import { recorder, testApps } from "../../helpers/apps/apps.ts";

const { engine, open } = testApps();

describe("scope.onCleanup(fn)", () => {
  it("runs its functions at the end of the run where no process handlers are installed", async () => {
    const app = await open();
    const order: string[] = [];
    app.onCleanup(() => void order.push("cleaned"));
    expect(order).toEqual([]);
    await app.finalize();
    expect(order).toEqual(["cleaned"]);
  });

  it("runs the last registered first, each awaited, whatever scope or handler registered it", async () => {
    const order: string[] = [];
    const Server = Resource("test:Server", {
      create(context) {
        context.onCleanup(() => void order.push("handler"));
        return {};
      },
    });
    const app = await open();
    app.onCleanup(() => void order.push("first"));
    await Server("a");
    await engine.run("child", (child) =>
      child.onCleanup(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push("child");
      }),
    );
    await app.finalize();
    expect(order).toEqual(["child", "handler", "first"]);
  });

  it("runs each function once", async () => {
    const app = await open();
    let runs = 0;
    app.onCleanup(() => runs++);
    await app.finalize();
    await app.run(() => {});
    await app.finalize({ empty: true });
    expect(runs).toBe(1);
  });

  it("runs all of them although one fails, and warns of that", async () => {
    const heard = recorder();
    const app = await open({ plugins: [heard.plugin] });
    const order: string[] = [];
    app.onCleanup(() => void order.push("first"));
    app.onCleanup(() => Promise.reject(new Error("The port is gone.")));
    app.onCleanup(() => {
      throw new Error("The file is gone.");
    });
    await app.finalize();
    expect(order).toEqual(["first"]);
    expect(heard.events.flatMap((event) => (event.type === "warning" ? [event.message] : []))).toEqual([
      "The file is gone.",
      "The port is gone.",
    ]);
  });

  it("runs when a run is disposed of, too", async () => {
    let cleaned = false;
    {
      await using app = await open();
      app.onCleanup(() => {
        cleaned = true;
      });
    }
    expect(cleaned).toBe(true);
  });

  it("is refused without a function", async () => {
    const app = await open();
    expect(() => Reflect.apply(app.onCleanup, app, ["rm -r"])).toThrow(
      expect.objectContaining({ code: "INVALID_CALL" }),
    );
  });

  it("is refused on an app that is finalized, where nothing would run it", async () => {
    const app = await open();
    await app.finalize();
    expect(() => app.onCleanup(() => {})).toThrow(expect.objectContaining({ code: "NO_SCOPE" }));
  });
});

describe("the stack of cleanup functions", () => {
  it("leaves a function behind that takes longer than its patience, and goes on", async () => {
    const order: string[] = [];
    const stack = new CleanupStack(1);
    stack.add(() => void order.push("next"));
    stack.add(() => new Promise(() => {}));
    expect(await stack.run()).toMatchObject([
      { code: "TIMEOUT", message: "A cleanup function took longer than 0.001 s and was abandoned. Make it faster." },
    ]);
    expect(order).toEqual(["next"]);
  });

  it("runs what a cleanup function registers", async () => {
    const order: string[] = [];
    const stack = new CleanupStack();
    stack.add(() => stack.add(() => void order.push("inner")));
    expect(await stack.run()).toEqual([]);
    expect(order).toEqual(["inner"]);
    expect(stack.isEmpty).toBe(true);
  });
});
