import { describe, expect, it } from "vitest";
import type { StandardSchema } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { rejection, testApps } from "../../helpers/apps/apps.ts";

const { open } = testApps();

interface Given {
  readonly port?: number;
  readonly tags?: readonly string[];
}

/** A Standard Schema like those of libraries: fills in a default and reports every issue with its path. */
const schema: StandardSchema<Given, { readonly port: number; readonly tags: readonly string[] }> = {
  "~standard": {
    version: 1,
    vendor: "test",
    async validate(value) {
      const port: unknown = Reflect.get(Object(value), "port") ?? 8080;
      const tags: unknown = Reflect.get(Object(value), "tags") ?? [];
      if (
        typeof port === "number" &&
        port < 65_536 &&
        Array.isArray(tags) &&
        tags.every((tag) => typeof tag === "string")
      ) {
        return { value: { port, tags } };
      }
      return {
        issues: [
          { message: "must be below 65536", path: ["port"] },
          { message: "must be text", path: [{ key: "tags" }, 1] },
          { message: "is wrong altogether" },
        ],
      };
    },
  },
};

const Server = Resource("test:ServerWithSchema", {
  schema,
  create: ({ props }) => ({ url: `http://localhost:${props.port}`, tags: props.tags.length }),
  delete: () => {},
});

describe("a resource type's schema", () => {
  it("fills in defaults before the handler sees the props", async () => {
    await open();
    expect(await Server("a")).toEqual({ url: "http://localhost:8080", tags: 0 });
    expect(await Server("b", { port: 1, tags: ["x"] })).toEqual({ url: "http://localhost:1", tags: 1 });
  });

  it("sees props whose promises are resolved", async () => {
    await open();
    expect((await Server("a", { port: Promise.resolve(2), tags: [Promise.resolve("x")] })).url).toBe(
      "http://localhost:2",
    );
  });

  it("refuses props with INVALID_PROPS, every issue and its path", async () => {
    await open();
    expect(await rejection(Server("a", { port: 70_000 }))).toMatchObject({
      code: "INVALID_PROPS",
      fqn: "shop/dev/a",
      message: [
        'The props of "shop/dev/a" are not valid:',
        "  - props.port: must be below 65536",
        "  - props.tags.1: must be text",
        "  - props: is wrong altogether",
      ].join("\n"),
    });
  });

  it("refuses them below the resource, in what the run tells at its end", async () => {
    const app = await open();
    await rejection(Server("a", { port: 70_000 }));
    const told = expect.stringContaining('\n  - The props of "shop/dev/a" are not valid:\n      - props.port: must be');
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError", message: told });
  });

  it("that refuses leaves nothing behind and fails the run", async () => {
    const app = await open();
    await rejection(Server("a", { port: 70_000 }));
    expect(await app.has("a")).toBe(false);
    expect(await rejection(app.finalize())).toMatchObject({
      name: "RunFailedError",
      errors: [{ code: "INVALID_PROPS" }],
    });
  });

  it("sees what the props hook made of the props", async () => {
    const app = await open();
    app.hooks.props.tap("tagging", (context) => {
      context.props = { ...Object(context.props), tags: ["tagged"] };
    });
    expect((await Server("a")).tags).toBe(1);
  });

  it("makes a default that is written out compare as unchanged", async () => {
    const app = await open();
    const updated: string[] = [];
    app.events.on("resource:replaced", ({ fqn }) => void updated.push(fqn));
    await Server("a");
    await app.finalize();
    await app.run(() => Server("a", { port: 8080 }));
    await app.finalize();
    expect(updated).toEqual([]);
  });
});
