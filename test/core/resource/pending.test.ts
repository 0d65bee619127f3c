import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { isPendingResource } from "../../../core/resource/pending.js";
import { rejection, testApps } from "../../helpers/apps.ts";
import { newThings } from "../../helpers/things.ts";

const { engine, open } = testApps();
const inString = expect.objectContaining({
  code: "PENDING_IN_STRING",
  fqn: "shop/dev/a",
  message: expect.stringContaining('"shop/dev/a" was put into a string or serialised before it was awaited'),
});

describe("a pending resource", () => {
  it("is a promise of the output with kind, id, fqn and scope", async () => {
    const app = await open();
    const { Thing } = newThings();
    const pending = Thing("a", { text: "1" });
    expect(pending).toBeInstanceOf(Promise);
    expect(pending).toMatchObject({ kind: Thing.kind, id: "a", fqn: "shop/dev/a", scope: app });
    expect(await pending).toEqual({ name: "shop-a-dev", text: "1" });
    expect(await pending.then(({ text }) => text)).toBe("1");
    expect(isPendingResource(pending)).toBe(true);
    expect(isPendingResource(Promise.resolve())).toBe(false);
  });

  it.each<[string, (pending: PromiseLike<unknown>) => unknown]>([
    ["a template string", (pending) => `${pending}`],
    ["a concatenation", (pending) => `path: ${""}`.concat(String(pending))],
    ["String()", (pending) => String(pending)],
    ["JSON", (pending) => JSON.stringify({ pending })],
    ["a number", (pending) => Number(pending)],
    ["a join", (pending) => [pending].join()],
  ])("in %s throws PENDING_IN_STRING instead of showing a promise", async (_where, use) => {
    await open();
    const { Thing } = newThings();
    const pending = Thing("a");
    expect(() => use(pending)).toThrow(inString);
    await pending;
  });

  it("can be printed", async () => {
    await open();
    const { Thing } = newThings();
    const pending = Thing("a", { text: "1" });
    await pending;
    expect(inspect(pending)).toContain("text: '1'");
  });

  it("does not end the process where nobody awaits it and it fails", async () => {
    const app = await open();
    const { Thing } = newThings();
    void Thing("a", { fails: "No paper." });
    expect(await rejection(app.finalize())).toMatchObject({ code: "RUN_FAILED" });
  });

  it("keeps the order of microtasks of a plain promise", async () => {
    await open();
    const { Thing } = newThings();
    const pending = Thing("a");
    await pending;
    const order: string[] = [];
    const awaiting = async (what: PromiseLike<unknown>, name: string) => {
      await what;
      order.push(name);
    };
    await Promise.all([awaiting(pending, "pending"), awaiting(Promise.resolve(), "plain")]);
    expect(order).toEqual(["pending", "plain"]);
  });

  it("names its scope, however deep", async () => {
    await open();
    const { Thing } = newThings();
    const [pending] = await engine.run("child", () => [Thing("a")]);
    expect(pending?.fqn).toBe("shop/dev/child/a");
  });
});
