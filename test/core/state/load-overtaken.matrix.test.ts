import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { firstStale, history } from "./load-overtaken.js";

describe("a load that is overtaken", () => {
  it("finds all that was acknowledged before it began, on a store without", async () => {
    const moments = await history(memoryStore({ append: false }), 4);
    expect(await firstStale(moments, 3, false)).toBeUndefined();
  });
});
