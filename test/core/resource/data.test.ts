import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Resource } from "../../../core/resource/index.js";
import { testApps } from "../../helpers/apps/apps.ts";

const { open } = testApps();

describe("this.set in a handler", () => {
  it("is not lost", async () => {
    const stateStore = memoryStore();
    const seen: unknown[] = [];
    const Counter = Resource("test:Counter", {
      async create(context) {
        await context.set("count", 1);
        return {};
      },
      async update(context) {
        const count = await context.get<number>("count");
        seen.push(count);
        await context.set("count", (count ?? 0) + 1);
        return {};
      },
    });
    for (const force of [false, true, true]) {
      const app = await open({ stateStore, force });
      await Counter("a");
      await app.finalize();
    }
    expect(seen).toEqual([1, 2]);
  });
});
