import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import type { TestApp } from "../../../plugins/testing/index.js";
import { rejection } from "../../helpers/apps/apps.js";
import { withApp } from "../../helpers/apps/test-apps.js";
import { newKind } from "../../helpers/apps/world.js";

/** A service with the objects of a site; each has a number, and perhaps the token of its creator. */
class Service {
  readonly things = new Map<number, string>();
  readonly calls: string[] = [];
  #last = 0;

  async make(what: string): Promise<number> {
    this.calls.push(`make ${what}`);
    await pause(1);
    this.things.set(++this.#last, what);
    return this.#last;
  }
  async remove(number: number): Promise<void> {
    this.calls.push(`remove ${number}`);
    await pause(1);
    this.things.delete(number);
  }
  async numberOf(what: string): Promise<number | undefined> {
    return [...this.things].find(([, one]) => one === what)?.[0];
  }
}

interface Site {
  readonly bucket: number;
  readonly name: number;
}

/** Creates two objects that cannot be found again before both are recorded. */
function halfDone(service: Service) {
  const kind = newKind();
  const create = async ({ id }: { id: string }): Promise<Site> => {
    const bucket = await service.make(`bucket of ${id}`);
    return { bucket, name: await service.make(`name of ${id}`) };
  };
  const remove = async ({ output }: { output: Site }): Promise<void> => {
    await service.remove(output.name);
    await service.remove(output.bucket);
  };
  return { kind, Site: Resource(kind, { create, delete: remove }) };
}

/** The same, but each object is found by the token of its creator. */
function recoverable(service: Service) {
  const kind = newKind();
  const made = async (what: string): Promise<number> => (await service.numberOf(what)) ?? service.make(what);
  return {
    kind,
    Site: Resource(kind, {
      idempotent: true,
      create: async ({ token }: { token: string }): Promise<Site> => ({
        bucket: await made(`bucket ${token}`),
        name: await made(`name ${token}`),
      }),
      async update({ output, token }: { output: Site; token: string }): Promise<Site> {
        await service.remove(output.name);
        return { bucket: output.bucket, name: await made(`name ${token}`) };
      },
      async delete({ output }: { output: Site }): Promise<void> {
        await service.remove(output.name);
        await service.remove(output.bucket);
      },
    }),
  };
}

/**
 * Kills a run after each step of a handler in turn, lets another run continue, and returns the number of objects each
 * time.
 */
async function afterEachStep(
  app: TestApp,
  [kind, handler]: [kind: string, handler: "create" | "update" | "delete"],
  { program, prepare, service }: { program(): unknown; prepare?(): unknown; service: Service },
): Promise<readonly number[]> {
  const left: number[] = [];
  for (let step = 0; ; step++) {
    if (prepare) await app.run(prepare);
    app.faults.kill(kind, handler, { step });
    const wasKilled = await app.run(program).then(
      () => false,
      () => true,
    );
    if (wasKilled) await app.run(program);
    left.push(service.things.size);
    await app.destroy();
    if (!wasKilled) return left;
  }
}

describe("a run that is killed between two steps of a handler", () => {
  it("shows what a type leaves behind that is not atomic", async () => {
    await withApp(async (app) => {
      const service = new Service();
      const { kind, Site } = halfDone(app.faults.client(service));
      expect(await afterEachStep(app, [kind, "create"], { program: () => Site("a"), service })).toEqual([2, 3, 5, 5]);
    });
  });

  it("is gone on with by a type that knows what it has made, whichever handler it was", async () => {
    await withApp(async (app) => {
      const service = new Service();
      const { kind, Site } = recoverable(app.faults.client(service));
      const made = (size: number) => () => Site("a", { size });
      const of = { program: made(1), service };
      expect(await afterEachStep(app, [kind, "create"], of)).toEqual([2, 2, 2, 2, 2, 2]);
      const changed = { program: made(2), prepare: made(1), service };
      expect(await afterEachStep(app, [kind, "update"], changed)).toEqual([2, 2, 2, 2, 2]);
      const dropped = { program: () => {}, prepare: made(1), service };
      expect(await afterEachStep(app, [kind, "delete"], dropped)).toEqual([0, 0, 0, 0]);
    });
  });

  it("says where, and reaches no further call, whatever the handler catches", async () => {
    await withApp(async (app) => {
      const service = new Service();
      const client = app.faults.client(service);
      const kind = newKind();
      const Careful = Resource(kind, {
        idempotent: true,
        async create() {
          let number = 0;
          try {
            number = await client.make("one");
            await client.make("two");
          } catch {
            await client.make("three").catch(() => {});
          } finally {
            await client.remove(number).catch(() => {});
          }
          return { number };
        },
        delete: () => {},
      });
      app.faults.kill(kind, "create", { step: 1 });
      expect(await rejection(app.run(() => Careful("a", {}, { retry: { attempts: 3, delay: 1 } })))).toMatchObject({
        code: "ABORTED",
        fqn: "test/test/a",
        message: 'The test killed the run after step 1 of the create of "test/test/a".',
      });
      expect(service.calls).toEqual(["make one"]);
      app.faults.kill(kind, "create", { step: 0 });
      expect(await rejection(app.run(() => Careful("b")))).toMatchObject({
        message: 'The test killed the run before the first step of the create of "test/test/b".',
      });
      expect(service.calls).toEqual(["make one"]);
    });
  });

  it("makes no call of other handlers either, and a call outside of handlers is not a step", async () => {
    await withApp(async (app) => {
      const service = new Service();
      const client = app.faults.client(service);
      const { kind, Site } = recoverable(client);
      const other = newKind();
      const Slow = Resource(other, {
        idempotent: true,
        async create() {
          for (let n = 0; n < 100; n++) await client.make(`slow ${n}`);
          return {};
        },
        delete: () => {},
      });
      app.faults.kill(kind, "create", { call: 2, step: 2 });
      const program = async () => {
        await client.make("of the program");
        await Site("a");
        await Promise.all([Slow("slow"), Site("b")]);
      };
      await rejection(app.run(program));
      const { length } = service.calls;
      await pause(20);
      expect(service.calls).toHaveLength(length);
      expect(length).toBeLessThan(20);
      expect(await client.numberOf("of the program")).toBe(1);
    });
  });

  it("takes functions, objects in clients, frozen ones, and calls that wait for nothing", async () => {
    await withApp(async (app) => {
      const calls: string[] = [];
      const note = (what: string): string => {
        calls.push(what);
        return what;
      };
      const client = app.faults.client(
        Object.freeze({ region: "here", inner: Object.freeze({ note }), ready: Promise.resolve("yes"), none: null }),
      );
      const call = app.faults.client(note);
      const kind = newKind();
      const Noted = Resource(kind, {
        async create() {
          const said = [client.region, await client.ready, client.none, client.inner.note("one"), call("two")];
          expect(client.inner).toBe(client.inner);
          return { said: said.join(" ") };
        },
        delete: () => {},
      });
      app.faults.kill(kind, "create", { step: 1 });
      await rejection(app.run(() => Noted("a")));
      expect(calls.splice(0)).toEqual(["one"]);
      app.faults.kill(kind, "create", { step: 2 });
      await rejection(app.run(() => Noted("a")));
      expect(calls.splice(0)).toEqual(["one", "two"]);
      app.faults.kill(kind, "create", { step: 3 });
      expect(await app.run(async () => (await Noted("a")).said)).toBe("here yes  one two");
      app.faults.kill(kind, "delete", { step: 0 });
      app.faults.clear();
    });
  });
});
