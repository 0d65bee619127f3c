import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { secrets } from "../../../plugins/secrets/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { textIn } from "../../helpers/apps/secret-stage.js";
import { Stage } from "../../helpers/apps/stage.ts";
import { newThings, type Things } from "../../helpers/apps/things.ts";

const web = { target: ["app/dev/web"] };
const refused = {
  code: "UNKNOWN_VALUE",
  fqn: "app/dev/web",
  message:
    'The props of "app/dev/web" would hold a value of "app/dev/db", which is left out of this run and has no usable record. Target it as well (target, --target "app/dev/db"), or do not exclude it.',
};

type Made = { readonly name: string };

/** Declares `db`, and `web` with props made from its output. */
const using =
  ({ Thing }: Things, made: (db: Made) => unknown) =>
  async () => {
    const db = await Thing("db");
    const props: object = { text: made(db) };
    await Thing("web", props);
  };

it("of a resource that is left out and whose delete was interrupted the output is an unknown value, which nothing is made from", async () => {
  const { world, Thing, stage } = newWorld();
  await stage.up(() => Thing("db"));
  const controller = new AbortController();
  world.on("delete db", () => {
    controller.abort();
    throw new Error("stopped");
  });
  await stage.failures(() => {}, { signal: controller.signal });
  world.news();
  const program = async () => Thing("web", { value: (await Thing("db")).thing });
  expect(await stage.failures(program, web)).toMatchObject([refused]);
  expect(world.news()).toEqual([]);
});

describe("of a resource that is left out and not recorded", () => {
  it("the output is an unknown value, which may be passed about", async () => {
    const { Thing, calls } = newThings();
    await new Stage().up(async () => {
      const db = await Thing("db");
      expect(`${db.name}`).toMatch(/^unknownx/);
      await Thing("other", { text: db.text });
      await Thing("web");
    }, web);
    expect(calls).toEqual(["create app/dev/web"]);
  });

  it.each<[string, (db: Made) => unknown]>([
    ["as it is", (db) => db],
    ["a member of it", (db) => db.name],
    ["a text that it was put into", (db) => `postgres://${db.name}:5432`],
    ["in a list in an object", (db) => ({ hosts: [db.name] })],
    ["spread", (db) => ({ ...db })],
    ["in a promise", async (db) => db.name],
    ["in a Map", (db) => new Map([["host", db.name]])],
    ["in a URL", (db) => new URL(`http://x/${db.name}`)],
    ["in an Error", (db) => new Error(`no ${db.name}`)],
    ["in bytes", (db) => Buffer.from(`host=${db.name}`)],
    ["in a secret", (db) => new Secret(`postgres://${db.name}`, "url")],
    ["a secret of it", (db) => new Secret(db.name, "url")],
  ])("%s, it fails what is selected before its handler", async (_how, made) => {
    const things = newThings();
    const store = memoryStore();
    const stage = new Stage({ stateStore: store, plugins: [secrets()], password: "x" });
    expect(await stage.failures(using(things, made), web)).toMatchObject([refused]);
    expect(things.calls).toEqual([]);
    expect(await textIn(store)).not.toContain("unknownx");
  });

  it("no schema and no plugin sees it", async () => {
    const { Thing } = newThings();
    const seen: unknown[] = [];
    await new Stage().failures(async (app) => {
      app.hooks.props.tap("seeing", ({ props }) => void seen.push(props));
      const db = await Thing("db");
      await Thing("web", { text: db.text });
    }, web);
    expect(seen).toEqual([]);
  });

  it("it is stored in no scope either", async () => {
    const { Thing } = newThings();
    const store = memoryStore();
    const stage = new Stage({ stateStore: store });
    const failures = await stage.failures(async (app) => {
      const db = await Thing("db");
      await app.set("host", db.name);
    }, web);
    expect(failures).toMatchObject([{ code: "UNKNOWN_VALUE", message: expect.stringContaining("The data of") }]);
    expect(await textIn(store)).not.toContain("unknownx");
  });

  it.each([false, true])("it is offered to no other stage, be it a plan (%j)", async (plan) => {
    const { Thing } = newThings();
    const stage = new Stage();
    const failures = await stage.failures(
      async (app) => {
        await Thing("web");
        const db = await Thing("db");
        await app.outputs({ host: db.name });
      },
      { ...web, plan },
    );
    expect(failures).toMatchObject([{ code: "UNKNOWN_VALUE", message: expect.stringContaining("left out") }]);
  });

  it("it does not hold up what can do without", async () => {
    const { Thing, calls } = newThings();
    const failures = await new Stage().failures(
      async () => {
        const db = await Thing("db");
        await Promise.allSettled([Thing("web", { text: db.text }), Thing("other")]);
      },
      { target: ["**/web", "**/other"] },
    );
    expect(failures).toHaveLength(1);
    expect(calls).toEqual(["create app/dev/other"]);
  });

  it("a text of the program that only looks like a marker is none", async () => {
    const { Thing, calls } = newThings();
    await new Stage().up(() => Thing("web", { text: "unknownx6162z" }), web);
    expect(calls).toEqual(["create app/dev/web"]);
  });
});

describe("a plan", () => {
  it("says what up would, also where other values are not known yet: an error for that resource", async () => {
    const { Thing } = newThings();
    const stage = new Stage();
    const program = async () => {
      const cache = await Thing("cache");
      const db = await Thing("db");
      await Thing("web", { text: `${cache.name} ${db.name}` });
    };
    expect(await stage.failures(program, { target: ["**/web", "**/cache"], plan: true })).toMatchObject([refused]);
    const [plan] = stage.heard("plan:made");
    expect(plan).toMatchObject({ errors: [refused], actions: [{ id: "cache" }] });
    expect(plan?.stopped).toBeUndefined();
  });

  it("goes on with values that are not known because the run makes them", async () => {
    const stage = new Stage();
    await stage.up(
      using(newThings(), (db) => db.name),
      { target: ["**/web", "**/db"], plan: true },
    );
    expect(stage.heard("plan:made")).toMatchObject([{ errors: [], counts: { create: 2 } }]);
  });
});
