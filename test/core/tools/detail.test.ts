import { describe, expect, test } from "vitest";
import { detailOf, masked, revealed } from "../../../plugins/admin/operations/detail.js";
import { selectorOf } from "../../../plugins/admin/operations/index.js";
import { listed } from "../../../plugins/admin/operations/listed.js";
import { inOwnRun } from "../../../plugins/admin/operations/own-run.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { closedApp } from "../../helpers/apps/closed-app.js";
import { secretStage, secretWorld } from "../../helpers/apps/secret-stage.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { loadFrom } from "../../helpers/stores/journals.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

async function shop() {
  const { world, Thing, stage } = secretWorld();
  world.on("create db", ({ set }) => set("token", new Secret("of the resource")));
  await stage.up(async (app) => {
    const db = await Thing("db", { value: { key: new Secret("hush"), when: new Date(0) } }, { protect: true });
    await stage.engine.run("web", async (scope) => {
      await scope.set("port", 80);
      await Thing("page", { value: db });
    });
    await app.outputs({ url: "http://shop", key: new Secret("offered") });
  });
  const { contents } = await loadFrom(stage.store);
  return { stage, naming: { app: "app", stage: "dev", contents } };
}

const show = masked((text) => text);

describe("what is recorded of a resource", () => {
  test("is shown with its values, with secrets only named, and with its relations", async () => {
    const { naming } = await shop();
    const { resources } = await detailOf(naming, "app/dev/db", show);
    expect(resources).toMatchObject([
      {
        fqn: "app/dev/db",
        status: "ready",
        protect: true,
        physicalName: "app-db-dev",
        dependents: ["app/dev/web/page"],
        props: { value: { key: "(secret)", when: "1970-01-01T00:00:00.000Z" } },
        data: { token: "(secret)" },
      },
    ]);
    const [page] = (await detailOf(naming, "page", show)).resources;
    expect(page).toMatchObject({ fqn: "app/dev/web/page", dependsOn: ["app/dev/db"], children: [] });
  });

  test("names what its handler has declared, and by whose handler it was declared", async () => {
    const { world, Thing, stage } = secretWorld();
    world.on("create db", async () => {
      await Promise.all([Thing("disk"), stage.engine.run("inner", () => Thing("user"))]);
    });
    await stage.up(() => Thing("db"));
    const naming = { app: "app", stage: "dev", contents: (await loadFrom(stage.store)).contents };
    const [db] = (await detailOf(naming, "db", show)).resources;
    expect(db?.children).toEqual(["app/dev/db/disk", "app/dev/db/inner/user"]);
    expect(db).not.toHaveProperty("parent");
    const [disk] = (await detailOf(naming, "disk", show)).resources;
    expect(disk).toMatchObject({ parent: "app/dev/db", children: [] });
  });

  test("shows its secrets with the password, and writes nothing", async () => {
    const { stage, naming } = await shop();
    const before = await snapshot(stage.store);
    const reveal = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (key, member) => (key === "" ? member : Secret.unwrap(member))));
    const seen = async (password: string | undefined, name: string) => {
      const app = await closedApp(secretStage({ stateStore: stage.store, password }));
      return inOwnRun(app, stage.store, { command: "show" }, (own) => detailOf(naming, name, revealed(own, reveal)));
    };
    const { scope } = await seen("correct horse", "app/dev");
    expect(scope).toMatchObject({ fqn: "app/dev", resources: ["app/dev/db"], scopes: ["app/dev/web"] });
    expect((await rejectedCode(seen("wrong", "db")))[0]).toBe("WRONG_PASSWORD");
    expect((await rejectedCode(seen(undefined, "db")))[0]).toBe("PASSWORD_REQUIRED");
    expect(await snapshot(stage.store)).toEqual(before);
  });

  test("can be of a scope, or of the stage with what it offers", async () => {
    const { naming } = await shop();
    expect(await detailOf(naming, "web", show)).toEqual({
      resources: [],
      scope: { fqn: "app/dev/web", scopes: [], resources: ["app/dev/web/page"], data: { port: 80 } },
    });
    const { scope } = await detailOf(naming, "app/dev", show);
    expect(scope?.outputs).toEqual({ url: "http://shop", key: "(secret)" });
  });

  test("is asked for by a name that exists, else the nearest is named", async () => {
    const { naming } = await shop();
    const [code, message] = await rejectedCode(detailOf(naming, "pagee", show));
    expect([code, message]).toEqual(["NOT_RECORDED", expect.stringContaining('"app/dev/web/page"')]);
    expect((await rejectedCode(detailOf(naming, "app/prod/db", show)))[0]).toBe("NOT_RECORDED");
  });
});

describe("the list of what is recorded", () => {
  test("is by name, and can be narrowed by globs", async () => {
    const { naming } = await shop();
    expect(listed(naming).map(({ fqn, protect }) => [fqn, protect])).toEqual([
      ["app/dev/db", true],
      ["app/dev/web/page", false],
    ]);
    expect(listed(naming, ["web/*"]).map(({ fqn }) => fqn)).toEqual(["app/dev/web/page"]);
    expect(listed(naming, ["**/d?", "app/*/web"]).length).toBe(2);
    expect(() => listed(naming, ["wev"])).toThrow(/Did you mean "app\/dev\/web"/);
  });
});

test("a glob is of whole names, or of paths below the stage", () => {
  const selects = (glob: string) => ["db", "web/page", "app"].filter(selectorOf({ app: "app", stage: "dev" }, glob));
  expect(selects("web/*")).toEqual(["web/page"]);
  expect(selects("app/dev/d*")).toEqual(["db"]);
  expect(selects("app")).toEqual(["app"]);
  expect(selects("app/prod/**")).toEqual([]);
});
