/** Slips of programs that destroy. */
import { describe, expect, test } from "vitest";
import { Stage } from "../../helpers/apps/stage.js";

describe("engine.destroy", () => {
  test.each([[undefined], [null], ["a"], [3], [{}]])("of %j by mistake names the line that says so", async (slip) => {
    const stage = new Stage();
    const { destroy } = stage.engine;
    const app = await stage.open();
    await app.run(async () => {
      const line = new Error("here").stack?.match(/destroy-slips\.test\.ts:\d+/)?.[0] ?? "no line";
      const next = line.replace(/\d+$/, (number) => String(Number(number) + 2));
      const refused = expect(Reflect.apply(destroy, undefined, [slip])).rejects;
      await refused.toMatchObject({ code: "INVALID_CALL", message: expect.stringContaining(next) });
    });
    await app.finalize();
  });
});
