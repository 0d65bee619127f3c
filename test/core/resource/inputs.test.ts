import { describe, expect, it } from "vitest";
import { resolveInputs } from "../../../core/codec/index.js";
import { Resource } from "../../../core/resource/index.js";
import { rejection, testApps } from "../../helpers/apps/apps.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { engine, open } = testApps();
const ignoring = { seen: (): void => {}, waiting: (): void => {} };

async function resolved(value: unknown): Promise<unknown> {
  return await resolveInputs(value, ignoring);
}

describe("resolveInputs", () => {
  it("gives the very same value, at once, where there is no promise in it", () => {
    const value = { list: [1, { deep: new Map([["a", Promise.resolve(1)]]) }], date: new Date(0) };
    expect(resolveInputs(value, ignoring)).toBe(value);
  });

  it("replaces promises at any depth", async () => {
    const later = <T>(value: T): Promise<T> => Promise.resolve(value);
    expect(await resolved(later(1))).toBe(1);
    expect(await resolved([later(1), 2, [later(3)]])).toEqual([1, 2, [3]]);
    expect(await resolved({ a: { b: [{ c: later("deep") }] }, d: 1 })).toEqual({ a: { b: [{ c: "deep" }] }, d: 1 });
    expect(await resolved({ a: later({ b: later([later(1)]) }) })).toEqual({ a: { b: [1] } });
  });

  it("takes any thenable", async () => {
    // biome-ignore lint/suspicious/noThenProperty: that is what a thenable is
    const thenable = { then: (resolve: (value: number) => void) => resolve(7) };
    expect(await resolved({ a: thenable })).toEqual({ a: 7 });
  });

  it("changes nothing in what the program passed", async () => {
    const inner = [Promise.resolve(1)];
    const props = { inner, plain: { a: 1 } };
    const value = await resolved(props);
    expect(props.inner).toBe(inner);
    expect(inner[0]).toBeInstanceOf(Promise);
    expect(value).toEqual({ inner: [1], plain: { a: 1 } });
  });

  it("keeps undefined members, and a member called __proto__ as a member", async () => {
    const props = JSON.parse('{"__proto__": {"a": 1}, "b": 2}');
    props.b = Promise.resolve(undefined);
    const value = await resolved(props);
    expect(Object.keys(Object(value))).toEqual(["__proto__", "b"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it("leaves instances of classes, maps and functions alone", async () => {
    class Custom {
      readonly promise = Promise.resolve(1);
    }
    const custom = new Custom();
    const value = await resolved({ custom, wait: Promise.resolve() });
    expect(Reflect.get(Object(value), "custom")).toBe(custom);
  });

  it("rejects with what a promise rejects with", async () => {
    const error = new Error("No.");
    expect(await rejection(resolved({ a: [Promise.reject(error)] }))).toBe(error);
  });

  it("ends where a value contains itself, and leaves it to the codec to refuse", async () => {
    const value: { self?: unknown; wait: unknown } = { wait: 1 };
    value.self = value;
    expect(await resolved(value)).toBe(value);
  });
});

describe("props of a declaration", () => {
  const Page = Resource("test:Page", {
    create: ({
      props,
    }: {
      readonly props: { readonly parts: readonly { readonly text: string }[]; readonly title?: string };
    }) => ({
      html: props.parts.map(({ text }) => text).join(" "),
    }),
    delete: () => {},
  });

  it("may be pending resources, promises and parts of them, which the handler never sees", async () => {
    await open();
    const { Thing } = newThings();
    const page = await Page("page", {
      parts: [
        Thing("a", { text: "one" }),
        Promise.resolve({ text: "two" }),
        { text: Thing("b", { text: "three" }).then(({ text }) => text) },
      ],
    });
    expect(page.html).toBe("one two three");
  });

  it("are awaited before the handler runs", async () => {
    await open();
    const { Thing, calls } = newThings();
    const order: string[] = [];
    const slow = new Promise<string>((resolve) => setImmediate(() => resolve("late"))).finally(() =>
      order.push("late"),
    );
    await Thing("a", { text: slow });
    expect([...order, ...calls]).toEqual(["late", "create shop/dev/a"]);
  });

  it("that reject fail the resource and leave it alone", async () => {
    const app = await open();
    const { Thing, calls } = newThings();
    const failing = Thing("a", { fails: "No paper." });
    const dependent = Thing("b", { text: failing.then(({ text }) => text) });
    expect(await rejection(dependent)).toMatchObject({ code: "HANDLER_FAILED", fqn: "shop/dev/a" });
    expect(calls).toEqual(["create shop/dev/a"]);
    expect(await rejection(app.finalize())).toMatchObject({ errors: [{ fqn: "shop/dev/a" }] });
  });

  it("make what they refer to outlive their resource", async () => {
    const app = await open();
    const { Thing, calls } = newThings();
    await Promise.all([Page("page", { parts: [Thing("a", { text: "1" })] }), Thing("b")]);
    await engine.destroy();
    const deletes = calls.filter((call) => call.startsWith("delete"));
    expect(deletes.sort()).toEqual(["delete shop/dev/a", "delete shop/dev/b"]);
    await app.finalize();
  });

  it("count an undefined member as an absent one", async () => {
    const app = await open();
    const { Thing, calls } = newThings();
    await Thing("a", { text: "1", fails: undefined });
    await app.finalize();
    await app.run(() => Thing("a", { text: "1" }));
    await app.finalize();
    expect(calls).toEqual(["create shop/dev/a"]);
  });

  it("that hold an output object are compared by value", async () => {
    const app = await open();
    const { Thing } = newThings();
    const calls: string[] = [];
    const Copy = Resource("test:Copy", {
      create: ({ props }: { props: { of: object } }) => ({ made: calls.push(JSON.stringify(props.of)) }),
    });
    await Copy("copy", { of: await Thing("a", { text: "1" }) });
    await app.finalize();
    await app.run(() => Copy("copy", { of: { text: "1", name: "shop-a-dev" } }));
    await app.finalize({ noop: true });
    expect(calls).toHaveLength(1);
  });
});
