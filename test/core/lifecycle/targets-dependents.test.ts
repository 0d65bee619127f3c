import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../../core/contract/index.js";
import { recordOf, Stage } from "../../helpers/apps/stage.ts";
import { newThings } from "../../helpers/apps/things.ts";

/** db ← api ← web, and other, each of which the second run changes. */
async function secondRun(options: EngineOptions): Promise<readonly string[]> {
  const { Thing, calls } = newThings();
  const stage = new Stage();
  const program = (text: string) => async () => {
    const db = await Thing("db", { text });
    const api = Thing("api", { text }, { dependsOn: [db] });
    await Thing("web", { text }, { dependsOn: [api] });
    await Thing("other", { text });
  };
  await stage.up(program("one"));
  calls.length = 0;
  await stage.up(program("two"), options);
  return calls.map((call) => call.replace("update app/dev/", ""));
}

describe("targetDependents", () => {
  it("selects what refers to a target, and what refers to that", async () => {
    const options = { target: ["**/db"], targetDependents: true };
    expect(await secondRun(options)).toEqual(["db", "api", "web"]);
  });

  it("selects nothing that a target refers to", async () => {
    expect(await secondRun({ target: ["**/api"], targetDependents: true })).toEqual(["api", "web"]);
  });

  it("is off by default", async () => {
    expect(await secondRun({ target: ["**/db"] })).toEqual(["db"]);
  });

  it("yields to exclude, and what is excluded passes it on to nobody", async () => {
    const options = { target: ["**/db"], exclude: ["**/api"], targetDependents: true };
    expect(await secondRun(options)).toEqual(["db"]);
  });

  it("selects what refers by its props", async () => {
    const { Thing, calls } = newThings();
    await new Stage().up(
      async () => {
        const db = Thing("db");
        const props: object = { text: db };
        await Thing("web", props);
      },
      { target: ["**/db"], targetDependents: true },
    );
    expect(calls).toEqual(["create app/dev/db", "create app/dev/web"]);
  });

  it("selects the children that a handler declares which runs for that reason", async () => {
    const pages = newThings();
    const sites = newThings();
    sites.inside = async () => void (await pages.Thing("page"));
    await new Stage().up(
      async () => {
        const db = await pages.Thing("db");
        await sites.Thing("site", {}, { dependsOn: [db] });
      },
      { target: ["**/db"], targetDependents: true },
    );
    expect(pages.calls).toEqual(["create app/dev/db", "create app/dev/site/page"]);
  });
});

describe("excludeDependents", () => {
  it("leaves out what refers to an excluded one, and what refers to that", async () => {
    expect(await secondRun({ exclude: ["**/db"], excludeDependents: true })).toEqual(["other"]);
  });

  it("is off by default", async () => {
    expect(await secondRun({ exclude: ["**/db"] })).toEqual(["api", "web", "other"]);
  });

  it("wins over a target", async () => {
    const options = { target: ["**/web", "**/other"], exclude: ["**/db"], excludeDependents: true };
    expect(await secondRun(options)).toEqual(["other"]);
  });

  it("does not count what is only not targeted", async () => {
    expect(await secondRun({ target: ["**/api"], excludeDependents: true })).toEqual(["api"]);
  });
});

describe("a replacement", () => {
  async function replaced(options: EngineOptions, isDependent = true) {
    const { Thing, calls } = newThings();
    const stage = new Stage();
    const program = (text: string) => async () => {
      const db = await Thing("db", { text }, { replaceOnChanges: ["text"] });
      await Thing("web", {}, isDependent ? { dependsOn: [db] } : {});
    };
    const app = await stage.up(program("one"));
    calls.length = 0;
    const failures = async () => stage.failures(program("two"), options);
    return { stage, app, calls, failures, run: () => stage.up(program("two"), options) };
  }

  it("that would delete what a resource refers to which is left out is refused before it begins", async () => {
    const { failures, calls } = await replaced({ target: ["**/db"] });
    expect(await failures()).toMatchObject([
      {
        code: "DEPENDENTS_LEFT_OUT",
        message:
          '"app/dev/db" is not deleted: "app/dev/web", which refers to it, is left out of this run. Target "app/dev/web", too, or all that refers to what is targeted (targetDependents, --target-dependents).',
      },
    ]);
    expect(calls).toEqual([]);
  });

  it("is refused in a plan as well", async () => {
    const { failures } = await replaced({ target: ["**/db"], plan: true });
    expect(await failures()).toMatchObject([{ code: "DEPENDENTS_LEFT_OUT" }]);
  });

  it("goes on with targetDependents", async () => {
    const { run, calls } = await replaced({ target: ["**/db"], targetDependents: true });
    const app = await run();
    expect(calls).toEqual(["create app/dev/db", "delete app/dev/db"]);
    expect(recordOf(app, "web")?.refs).toEqual([recordOf(app, "db")?.uid]);
  });

  it("goes on where what refers to it is targeted, too", async () => {
    const { run, calls } = await replaced({ target: ["**/db", "**/web"] });
    await run();
    expect(calls).toEqual(["create app/dev/db", "delete app/dev/db"]);
  });

  it("goes on where nothing refers to it", async () => {
    const { run, calls } = await replaced({ target: ["**/db"] }, false);
    await run();
    expect(calls).toEqual(["create app/dev/db", "delete app/dev/db"]);
  });

  it("is refused where what refers to it is excluded, also with targetDependents", async () => {
    const { failures, calls } = await replaced({ target: ["**/db"], exclude: ["**/web"], targetDependents: true });
    expect(await failures()).toMatchObject([
      { code: "DEPENDENTS_LEFT_OUT", message: expect.stringContaining('Exclude "app/dev/db" as well, or neither.') },
    ]);
    expect(calls).toEqual([]);
  });
});
