import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Resource } from "../../../core/resource/index.js";
import { File } from "../../../plugins/resources/index.js";
import { rejection } from "../../helpers/apps/apps.js";
import { boxes, withApp } from "../../helpers/apps/test-apps.js";
import { newKind } from "../../helpers/apps/world.js";

describe("a fault in a handler", () => {
  it("happens at the call that it was set for, once, and leaves the intent for the next run", async () => {
    const { kind, definition, news } = boxes();
    await withApp(async (app) => {
      const Box = Resource(kind, definition);
      app.faults.fail(kind, "create", { call: 2, error: new Error("no paper") });
      const two = async () => {
        await Box("a", { size: 1 });
        await Box("b", { size: 1 });
      };
      expect(await rejection(app.run(two))).toMatchObject({
        errors: [{ code: "HANDLER_FAILED", fqn: "test/test/b", message: expect.stringContaining("no paper") }],
      });
      expect([app.actions, news()]).toEqual([["created a", "failed b"], ["create"]]);
      await app.run(two);
      expect([app.actions, news()]).toEqual([
        ["unchanged a", "created b"],
        ["read", "create"],
      ]);
    });
  });

  it("may come after the work, which the next run then finds", async () => {
    const { kind, definition, there, news } = boxes();
    await withApp(async (app) => {
      const Box = Resource(kind, definition);
      app.faults.fail(kind, "create", { after: true });
      await rejection(app.run(() => Box("a", { size: 1 })));
      expect([there.size, news()]).toEqual([1, ["create"]]);
      await app.run(() => Box("a", { size: 1 }));
      expect([there.size, news()]).toEqual([1, ["read", "update"]]);
    });
  });

  it("can be set for every handler, of local ones too, and be taken back", async () => {
    const { kind, definition, news } = boxes();
    await withApp(async (app) => {
      const Box = Resource(kind, { ...definition, local: definition });
      await app.run(() => Box("a", { size: 1 }), { local: true });
      app.faults.fail(kind, "update");
      await rejection(app.run(() => Box("a", { size: 2 }), { local: true }));
      app.faults.fail(kind, "delete");
      await rejection(app.run(() => {}));
      app.faults.fail(kind, "delete");
      app.faults.clear();
      await app.run(() => {});
      expect(news()).toEqual(["create", "read", "delete"]);
    });
  });

  it("can be set for a type that is one function, also after it ended by this.destroy()", async () => {
    const kind = newKind();
    const calls: string[] = [];
    await withApp(async (app) => {
      const Box = Resource<{ made: boolean }, object>(kind, async function () {
        calls.push(this.phase);
        if (this.phase === "delete") return this.destroy();
        return { made: true };
      });
      app.faults.fail(kind, "create", { after: true });
      app.faults.fail(kind, "delete", { after: true });
      await rejection(app.run(() => Box("a")));
      await app.run(() => Box("a"));
      await rejection(app.run(() => {}));
      await app.run(() => {});
      expect(calls).toEqual(["create", "create", "delete", "delete"]);
    });
  });

  it("also affects a type of another package, and a call that is repeated", async () => {
    await withApp(async (app) => {
      app.faults.fail("fs:File", "create", { error: new Error("disk full") });
      const file = () =>
        File("a", { path: join(app.rootDir, "a.txt"), content: "a" }, { retry: { attempts: 2, delay: 1 } });
      await app.run(file);
      expect(app.events).toContainEqual(expect.objectContaining({ type: "resource:retrying" }));
      expect(app.actions.at(-1)).toBe("created a");
    });
  });
});

describe.each([true, false])("a run that is killed after a handler (a store that appends: %s)", (append) => {
  const options = () => ({ stateStore: memoryStore({ append }) });

  it("has not recorded its result: the next run recovers", async () => {
    const { kind, definition, there, news } = boxes();
    const Box = Resource(kind, definition);
    await withApp(async (app) => {
      app.faults.kill(kind, "create");
      const killed = await rejection(app.run(() => Box("a", { size: 1 })));
      expect(killed).toMatchObject({ code: "ABORTED", message: expect.stringContaining('"test/test/a"') });
      expect([there.size, news(), app.actions, app.summary]).toEqual([1, ["create"], ["created a"], undefined]);
      await app.run(() => Box("a", { size: 1 }));
      expect([there.size, news(), app.warnings]).toEqual([1, ["read", "update"], []]);
    }, options());
  });

  it("leaves no recovery file, and starts nothing more", async () => {
    const { kind, definition, news } = boxes();
    const Box = Resource(kind, definition);
    await withApp(async (app) => {
      app.faults.kill(kind, "create", { call: 2 });
      const three = async () => {
        for (const id of ["a", "b", "c"]) await Box(id, { size: 1 });
      };
      await rejection(app.run(three));
      expect(news()).toEqual(["create", "create"]);
      expect(await readdir(app.rootDir)).toEqual([]);
      await app.run(three);
      expect(app.actions).toEqual(["unchanged a", "updated b", "created c"]);
    }, options());
  });

  it("repeats an update and a delete", async () => {
    const { kind, definition, news } = boxes();
    const Box = Resource(kind, definition);
    await withApp(async (app) => {
      await app.run(() => Box("a", { size: 1 }));
      app.faults.kill(kind, "update");
      await rejection(app.run(() => Box("a", { size: 2 })));
      await app.run(() => Box("a", { size: 2 }));
      app.faults.kill(kind, "delete");
      await rejection(app.run(() => {}));
      await app.run(() => {});
      expect(news()).toEqual(["create", "update", "update", "delete", "delete"]);
      await app.run(() => {});
      expect([news(), app.actions]).toEqual([[], []]);
    }, options());
  });
});
