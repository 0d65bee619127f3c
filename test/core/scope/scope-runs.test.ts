import { describe, expect, it } from "vitest";
import { enclosingRuns } from "../../../core/contract/index.js";
import { testApps } from "../../helpers/apps/apps.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { engine, open } = testApps();

describe("the runs that enclose some code", () => {
  it("are those of every scope around it, the innermost first", async () => {
    const app = await open();
    const names = await app.run(() =>
      engine.run("a", () => engine.run("b", () => enclosingRuns().map(({ name }) => name))),
    );
    expect(names).toEqual(["shop/dev/a/b", "shop/dev/a", "shop/dev"]);
  });

  it("are seen inside of handlers", async () => {
    await open();
    const things = newThings();
    let names: string[] = [];
    things.inside = () => {
      names = enclosingRuns().map(({ name }) => name);
    };
    await engine.run("a", () => things.Thing("thing"));
    expect(names).toEqual(["shop/dev/a"]);
  });

  it("do not grow where each run is begun inside of the last one", async () => {
    const app = await open();
    const depths: number[] = [];
    const begin = (left: number, finish: () => void): Promise<void> =>
      app.run(() => {
        depths.push(enclosingRuns().length);
        setImmediate(() => (left > 0 ? void begin(left - 1, finish) : finish()));
      });
    await new Promise<void>((resolve) => void begin(5, resolve));
    expect(depths).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe("scope.run", () => {
  it("given a name tells how a child scope is made", async () => {
    const app = await open();
    const run: unknown = Reflect.apply(app.run, app, ["web", () => {}]);
    await expect(run).rejects.toMatchObject({ code: "INVALID_CALL", message: /engine\.run\(name, fn\)/ });
  });
});
