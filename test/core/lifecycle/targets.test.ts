import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { EngineOptions } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { Stage } from "../../helpers/apps/stage.ts";
import { newSites, newThings, type Things } from "../../helpers/apps/things.ts";
import { observed } from "../../helpers/stores/observed-store.ts";

const web = { target: ["app/dev/web"] };

/** A stage with `db`, and `web`, which uses it. */
async function shop(before = "one") {
  const things = newThings();
  const stage = new Stage();
  const program = declaring(things);
  await stage.up(program(before));
  things.calls.length = 0;
  return { stage, things, program };
}

const declaring =
  ({ Thing }: Things) =>
  (text: string) =>
  async () => {
    const db = await Thing("db", { text });
    return Thing("web", { text: `${text} on ${db.text}` });
  };

describe("a declaration that is not selected", () => {
  it("is left alone and gives its recorded output: its handler is not called, and its record stays", async () => {
    const { stage, things, program } = await shop();
    await stage.up(program("two"), web);
    expect(things.calls).toEqual(["update app/dev/web"]);
    expect(things.there.get("app/dev/db")).toBe("one");
    expect(things.there.get("app/dev/web")).toBe("two on one");
    expect(stage.record("db")?.props).toEqual({ text: "one" });
    expect(stage.told).toEqual(["started web", "updated web"]);
    expect(stage.summary).toEqual({ updated: 1 });
  });

  it("gives what is recorded under an alias, and does not take it over", async () => {
    const { stage, things } = await shop();
    const { Thing } = things;
    await stage.up(async () => {
      const db = await Thing("database", { text: "two" }, { aliases: ["db"] });
      await Thing("web", { text: db.text }, { dependsOn: [db] });
    }, web);
    expect(things.there.get("app/dev/web")).toBe("one");
    expect(stage.record("db")).toMatchObject({ props: { text: "one" } });
    expect(stage.record("database")).toBeUndefined();
    expect(stage.record("web")?.refs).toEqual([stage.record("db")?.uid]);
  });

  it("calls neither the props hook nor its schema", async () => {
    const { stage, program } = await shop();
    const seen: string[] = [];
    await stage.up((app) => {
      app.hooks.props.tap("seeing", ({ id }) => void seen.push(id));
      return program("two")();
    }, web);
    expect(seen).toEqual(["web"]);
  });

  it("that is recorded as another kind gives an unknown value", async () => {
    const { stage } = await shop();
    const { Thing } = newThings();
    await stage.up(async () => {
      const db: unknown = await Thing("db");
      expect(String(db)).toMatch(/^unknownx/);
    }, web);
  });

  it("keeps its children: they are not declared, and not pruned", async () => {
    const { pages, sites } = newSites();
    const stage = new Stage();
    const program = async () => {
      await sites.Thing("site");
      await pages.Thing("other");
    };
    await stage.up(program);
    await stage.up(program, { target: ["app/dev/other"], force: true });
    expect(stage.record("site/page")).toBeDefined();
    expect(pages.calls.at(-1)).toBe("update app/dev/other");
  });
});

describe("a refresh", () => {
  it("looks at nothing that is left out", async () => {
    const looked: string[] = [];
    const Seen = Resource("test:SeenTarget", {
      create: ({ props }: { props: { text: string } }) => ({ text: props.text }),
      read: ({ id, output }) => {
        looked.push(id);
        return output;
      },
      recognizesOwn: true,
      update: ({ props }) => ({ text: props.text }),
    });
    const stage = new Stage();
    const program = async () => {
      const db = await Seen("db", { text: "x" });
      await Seen("web", { text: "x" }, { dependsOn: [db] });
      await Seen("other", { text: "x" });
    };
    await stage.up(program);
    await stage.up(program, { refresh: true, ...web });
    expect(looked).toEqual(["web"]);
    looked.length = 0;
    await stage.up(program, { refresh: true, target: ["**/db"], targetDependents: true });
    expect(looked).toEqual(["db", "web"]);
  });
});

describe("what a target selects", () => {
  it.each<[string, EngineOptions, string[]]>([
    ["is a resource with the children that its handler declares", { target: ["app/dev/site"] }, ["site", "site/page"]],
    ["is a whole scope", { target: ["app/dev/jobs"] }, ["jobs/one"]],
    ["is what any of several patterns says", { target: ["**/one", "**/site"] }, ["site", "site/page", "jobs/one"]],
    ["is nothing where the list is empty", { target: [] }, []],
    ["is not what is excluded: exclude wins", { target: ["app/dev/site"], exclude: ["app/dev/site/page"] }, ["site"]],
    ["is everything but what is excluded, without a target", { exclude: ["**/site"] }, ["jobs/one"]],
  ])("%s", async (_what, options, created) => {
    const { pages, sites } = newSites();
    const stage = new Stage();
    await stage.up(async () => {
      await sites.Thing("site");
      await stage.engine.run("jobs", () => pages.Thing("one"));
    }, options);
    expect([...sites.calls, ...pages.calls]).toEqual(created.map((key) => `create app/dev/${key}`));
  });
});

describe("an unchanged run with targets", () => {
  it("writes nothing", async () => {
    const { Thing } = newThings();
    const { store, requests } = observed(memoryStore());
    const stage = new Stage({ stateStore: store });
    const program = async () => {
      const db = await Thing("db");
      await Thing("web", { text: db.name });
    };
    await stage.up(program);
    requests.clear();
    await stage.up(program, web);
    expect(requests.writes).toBe(0);
    expect(stage.summary).toEqual({ unchanged: 1 });
  });
});

describe("in the phase read", () => {
  it("targets have no effect", async () => {
    const { stage, things } = await shop();
    await stage.up(() => things.Thing("db"), { ...web, phase: "read" });
    expect(stage.summary).toEqual({ read: 1 });
    expect(stage.heard("warning")).toEqual([]);
  });
});

describe("a pattern that can match nothing", () => {
  it.each<[string, EngineOptions]>([
    ["target", { target: ["**/web", "shop/dev/web"] }],
    ["exclude", { exclude: ["app/prod/web"] }],
  ])("in %s is INVALID_OPTION", async (name, options) => {
    const run = new Stage().open(options);
    await expect(run).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(`Option "${name}" holds`),
    });
  });
});
