import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { Context, Handler } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { rejection, testApps } from "../../helpers/apps/apps.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { open } = testApps();
const conflict = expect.objectContaining({ code: "KIND_CONFLICT" });
const invalid = (message: string) =>
  expect.objectContaining({ code: "INVALID_DEFINITION", message: expect.stringContaining(message) });

describe("Resource(kind, function)", () => {
  it("calls one function in every phase, told by this.phase what to do", async () => {
    const seen: unknown[] = [];
    const Note = Resource(
      "test:Note",
      async function (this: Context<{ text: string }, { text: string }>, id: string, props: { text: string }) {
        seen.push([this.phase, id, props, this.props, this.output]);
        if (this.phase === "delete") return this.destroy();
        return { text: props.text.toUpperCase() };
      },
    );
    const app = await open();
    await Note("a", { text: "one" });
    await app.finalize();
    await app.run(() => Note("a", { text: "two" }));
    await app.finalize();
    await app.run(() => {});
    await app.finalize({ empty: true });
    const [one, two] = [{ text: "one" }, { text: "two" }];
    expect(seen).toEqual([
      ["create", "a", one, undefined, undefined],
      ["update", "a", two, one, { text: "ONE" }],
      ["delete", "a", two, two, { text: "TWO" }],
    ]);
  });

  it("replaces when it is asked to, though the handler catches everything", async () => {
    const calls: string[] = [];
    const Note = Resource("test:Catching", function (this: Context<object>, _id: string, _props: { text: string }) {
      calls.push(this.phase);
      if (this.phase === "delete") return this.destroy();
      try {
        if (this.phase === "update") this.replace();
      } catch {
        // Like code that must not fail.
      }
      return { made: calls.length };
    });
    const app = await open();
    await Note("a", { text: "one" });
    await app.finalize();
    await app.run(() => Note("a", { text: "two" }));
    await app.finalize();
    expect(calls).toEqual(["create", "update", "create", "delete"]);
  });
});

describe("Resource(kind, handlers)", () => {
  it.each([
    ["updte", "update"],
    ["replaceon", "replaceOn"],
    ["output", "outputs"],
  ])("refuses %s, which nothing would call, and takes what is near to nothing that is missing", (name, meant) => {
    const handlers = { create: () => ({}), delete: () => {} };
    const message = `Resource type "test:Slip" has a member "${name}" but no "${meant}"`;
    expect(() => Resource("test:Slip", { ...handlers, [name]: () => ({}) })).toThrow(invalid(message));
    expect(() => Resource("test:Slip", { ...handlers, local: { ...handlers, [name]: () => ({}) } })).toThrow(
      invalid(message),
    );
    const own = { ...handlers, [meant]: meant === "replaceOn" ? [] : () => ({}), [name]: 1, client: {}, calls: [] };
    expect(() => Resource(`test:No${name}`, own)).not.toThrow();
  });

  it("calls the handler of the phase, with its object as this", async () => {
    const definition = {
      calls: [] as unknown[],
      create({ props }: { readonly props: { text: string } }) {
        this.calls.push(["create", props]);
        return { text: props.text };
      },
      update({ props, previous, output, changes }: Record<"props" | "previous" | "output" | "changes", unknown>) {
        this.calls.push(["update", props, previous, output, changes]);
        return { text: "updated" };
      },
      delete({ output }: { readonly output: unknown }) {
        this.calls.push(["delete", output]);
      },
    };
    const Note = Resource<{ text: string }, { text: string }>("test:Handlers", definition);
    const app = await open();
    await Note("a", { text: "one" });
    await app.finalize();
    await app.run(() => Note("a", { text: "two" }));
    await app.finalize();
    await app.run(() => {});
    await app.finalize({ empty: true });
    const [one, two] = [{ text: "one" }, { text: "two" }];
    expect(definition.calls).toEqual([
      ["create", one],
      ["update", two, one, one, ["/text"]],
      ["delete", { text: "updated" }],
    ]);
  });

  it("simulates with the local handlers where the scope is local", async () => {
    const Queue = Resource("test:Queue", { create: () => "remote", local: { create: () => "local" } });
    const remote = await open({}, "remote");
    const local = await open({ local: true }, "local");
    expect(await remote.run(() => Queue("a"))).toBe("remote");
    expect(await local.run(() => Queue("a"))).toBe("local");
  });

  it("without local handlers uses the others in a local scope", async () => {
    const Queue = Resource("test:RemoteQueue", { create: ({ local }) => `remote, local: ${local}` });
    await open({ local: true });
    expect(await Queue("a")).toBe("remote, local: true");
  });

  it("without update replaces, without delete forgets", async () => {
    const calls: string[] = [];
    const Fixed = Resource<object, { text: string }>("test:Fixed", {
      create: ({ uid }) => ({ made: calls.push(uid) }),
    });
    const app = await open();
    await Fixed("a", { text: "one" });
    await app.finalize();
    await app.run(() => Fixed("a", { text: "two" }));
    await app.finalize();
    expect(new Set(calls).size).toBe(2);
    await app.run(() => {});
    await app.finalize({ empty: true });
    expect(await app.has("a")).toBe(false);
  });

  it("has its kind and its name", () => {
    const Queue = Resource("test:Named", { create: () => ({}) });
    expect([Queue.kind, Queue.name]).toEqual(["test:Named", "test:Named"]);
  });
});

describe("Resource() refuses", () => {
  it.each([[""], [undefined], [7]])("%j as a kind", (kind) => {
    expect(() => Reflect.apply(Resource, undefined, [kind, { create: () => ({}) }])).toThrow(invalid("needs a kind"));
  });

  it.each([[undefined], [null], [{}], [{ update() {} }], ["text"]])("%j as a definition", (definition) => {
    expect(() => Reflect.apply(Resource, undefined, ["test:None", definition])).toThrow(
      invalid("needs a handler function, or an object with at least a create function"),
    );
  });

  it("verify without read", () => {
    expect(() => Resource("test:Blind", { create: () => ({}), verify: true })).toThrow(
      invalid("has verify, which needs a read handler. Add read"),
    );
  });
});

describe("two definitions of one kind", () => {
  const create = () => ({ made: 1 });

  it("from the same source are accepted", async () => {
    const define = () => Resource("test:Twice", { create: () => ({ made: 1 }), delete: () => {} });
    define();
    const Twice = define();
    await open();
    expect(await Twice("a")).toEqual({ made: 1 });
  });

  it("as functions with the same text are accepted, with another are KIND_CONFLICT", () => {
    const define = (handler: Handler<number, object>) => Resource("test:Function", handler);
    for (let times = 0; times < 2; times++) {
      define(function () {
        return this.phase === "delete" ? this.destroy() : 1;
      });
    }
    const other: Handler<number, object> = function () {
      return this.phase === "delete" ? this.destroy() : 2;
    };
    expect(() => define(other)).toThrow(conflict);
  });

  it.each<[string, object, object]>([
    ["create", { create }, { create: () => ({ made: 2 }) }],
    ["update", { create }, { create, update: create }],
    ["read", { create }, { create, read: create }],
    ["delete", { create }, { create, delete: () => {} }],
    ["replaceOn", { create, replaceOn: ["a"] }, { create, replaceOn: ["b"] }],
    ["idempotent", { create }, { create, idempotent: true }],
    ["verify", { create, read: create }, { create, read: create, verify: true }],
    ["local.read", { create, local: { create } }, { create, local: { create, read: create } }],
    ["local.delete", { create, local: { create } }, { create, local: { create, delete: () => {} } }],
  ])("that differ in %s are KIND_CONFLICT", (part, one, two) => {
    const define = (definition: object): unknown =>
      Reflect.apply(Resource, undefined, [`test:Differs.${part}`, definition]);
    define(one);
    expect(() => define(two)).toThrow(conflict);
    expect(() => define(two)).toThrow(`The kind "test:Differs.${part}" is defined twice`);
  });
});

describe("a declaration", () => {
  it.each([[""], ["a/b"], ["."], [".."], ["a\tb"], ["x".repeat(257)]])("refuses %j as an id", async (id) => {
    const app = await open();
    const { Thing } = newThings();
    expect(() => Thing(id)).toThrow(expect.objectContaining({ code: "INVALID_NAME" }));
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError" });
  });

  it.each([["a*b"], ["C:\\temp"], ["a b"], ["ünïcode"], ["aux"], ["__proto__"], ["constructor"]])(
    "takes %j as an id, which is skipped in the next run",
    async (id) => {
      const stateStore = memoryStore();
      const { Thing, calls } = newThings();
      for (let run = 0; run < 2; run++) {
        const app = await open({ stateStore });
        await Thing(id);
        await app.finalize();
      }
      expect(calls).toEqual([`create shop/dev/${id}`]);
    },
  );

  it("of an id that is declared already queues with reapply", async () => {
    await open({ reapply: true });
    const { Thing, calls } = newThings();
    const outputs = await Promise.all([
      Thing("a", { text: "1" }),
      Thing("a", { text: "2" }),
      Thing("a", { text: "2" }),
    ]);
    expect(outputs.map(({ text }) => text)).toEqual(["1", "2", "2"]);
    expect(calls).toEqual(["create shop/dev/a", "update shop/dev/a"]);
  });

  it("with an option that there is not is INVALID_OPTION, with the one that is nearly it", async () => {
    await open();
    const { Thing } = newThings();
    expect(() => Reflect.apply(Thing, undefined, ["a", {}, { protekt: true }])).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTION",
        fqn: "shop/dev/a",
        message: expect.stringMatching(/option "protekt".*"protect"/s),
      }),
    );
  });
});
