import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { isPendingResource } from "../../../core/contract/index.js";
import { rejection, testApps } from "../../helpers/apps/apps.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { engine, open } = testApps();
const inString = expect.objectContaining({
  code: "PENDING_IN_STRING",
  fqn: "shop/dev/a",
  message: expect.stringContaining('"shop/dev/a" was put into a string or serialised before it was awaited: at '),
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
  ])("in %s throws PENDING_IN_STRING, which names the line, instead of showing a promise", async (_where, use) => {
    await open();
    const { Thing } = newThings();
    const pending = Thing("a");
    expect(() => use(pending)).toThrow(inString);
    expect(() => use(pending)).toThrow(/pending\.test\.ts:\d+:\d+/);
    await pending;
  });

  it.each<[string, string, (pending: { readonly [name: string]: unknown }) => unknown]>([
    ["a template string", "path", (pending) => `${pending.path}`],
    ["a destructuring", "arn", ({ arn }) => arn],
    ["an optional chain", "length", (pending) => pending.length],
    ["a name that only some objects have", "_id", (pending) => pending._id],
  ])("an output read in %s before it was awaited throws NOT_AWAITED, with the line", async (_where, name, use) => {
    await open();
    const { Thing } = newThings();
    const pending = Thing("a");
    const line =
      /"shop\/dev\/a" was not awaited, so it has no ".*" yet: at .*pending\.test\.ts:\d+:\d+.*\. Await it first: \(await …\)\./;
    const refused = expect.objectContaining({
      code: "NOT_AWAITED",
      fqn: "shop/dev/a",
      message: expect.stringMatching(line),
    });
    expect(() => Reflect.apply(use, undefined, [pending])).toThrow(refused);
    expect(() => Reflect.apply(use, undefined, [pending])).toThrow(`it has no "${name}" yet`);
    await pending;
  });

  it("answers whatever inspectors, test runners and languages ask of any object", async () => {
    await open();
    const { Thing } = newThings();
    const pending = Thing("a", { text: "1" });
    const asked = ["$$typeof", "@@__IMMUTABLE_ITERABLE__@@", "__esModule", "asymmetricMatch", "nodeType", "inspect"];
    for (const name of [...asked, Symbol.iterator, Symbol.for("any")])
      expect(Reflect.get(pending, name)).toBeUndefined();
    expect(pending).toEqual(pending);
    expect(Reflect.get(Object.getPrototypeOf(pending), "path")).toBeUndefined();
    expect(inspect(pending, { showHidden: true, depth: 9, getters: true })).toContain("Promise");
    expect([Reflect.get(pending, "hasOwnProperty"), Object.keys(pending), "path" in pending]).toEqual([
      Object.prototype.hasOwnProperty,
      [],
      false,
    ]);
    await pending;
  });

  it("can be printed", async () => {
    await open();
    const { Thing } = newThings();
    const pending = Thing("a", { text: "1" });
    await pending;
    expect(inspect(pending)).toContain("text: '1'");
  });

  it("does not end the process if it fails and is not awaited", async () => {
    const app = await open();
    const { Thing } = newThings();
    void Thing("a", { fails: "No paper." });
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError" });
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
