import { describe, expect, test } from "vitest";
import type { UpdateContext } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { type Called, newKind } from "../../helpers/apps/world.js";

describe.each([
  { form: "one function", short: true },
  { form: "an object of handlers", short: false },
])("the context of a handler in $form", ({ short }) => {
  test("names the resource, its scope and its stage", async () => {
    const { world, Thing, stage, run } = newWorld({ short });
    const seen: unknown[] = [];
    world.on("create a", (context) => {
      const { id, fqn, stage: stageName, scope, physicalName } = context;
      seen.push(id, fqn, stageName, scope.name, physicalName, scope.createPhysicalName(id));
    });
    await stage.up(() => run("s", () => Thing("a")));
    expect(seen).toEqual(["a", "app/dev/s/a", "dev", "s", "app-s-a-dev", "app-s-a-dev"]);
  });

  test("shows the run's and the scope's options", async () => {
    const { world, Thing, stage, run } = newWorld({ short });
    const seen: unknown[] = [];
    world.on("create a", ({ local, watch, tunnel, adopt, force, quiet, profile }) => {
      seen.push({ local, watch, tunnel, adopt, force, quiet, profile });
    });
    const scope = { local: true, watch: true, adopt: true, force: true, quiet: true, profile: "p" };
    await stage.up(() => run("s", scope, () => Thing("a")));
    expect(seen).toEqual([{ ...scope, tunnel: false }]);
  });

  test("keeps uid and physical name for the resource's life, and tells what has changed and the output so far", async () => {
    const { world, Thing, stage } = newWorld({ short });
    const [named, seen]: [string[], unknown[]] = [[], []];
    for (const each of ["create", "update", "delete"]) {
      world.on(`${each} a`, ({ phase, uid, physicalName, changes, output }) => {
        named.push(`${uid} ${physicalName}`);
        seen.push([phase, [...changes].sort(), output]);
      });
    }
    await stage.up(() => Thing("a", { value: { x: 1, y: 1 }, name: "n" }));
    await stage.up(() => Thing("a", { value: { x: 1, y: 2 }, uses: [] }));
    await stage.up();
    expect(new Set(named).size).toBe(1);
    expect(seen).toEqual([
      ["create", [], undefined],
      ["update", ["/name", "/uses", "/value/y"], { thing: "a#1", value: { x: 1, y: 1 } }],
      ["delete", [], { thing: "a#1", value: { x: 1, y: 2 } }],
    ]);
  });

  test("has one token for every attempt at the same props, and another for other props", async () => {
    const { world, Thing, stage } = newWorld({ short });
    const tokens: (string | number)[][] = [];
    const fail = ({ token, attempt }: Called): never => {
      tokens.push([token, attempt]);
      throw new Error("not yet");
    };
    world.on("create a", fail);
    world.on("update a", fail);
    for (const value of [1, 1, 2]) await stage.failures(() => Thing("a", { value }));
    const changes: string[] = [];
    world.on("create a", (context) => {
      tokens.push([context.token, context.attempt]);
      changes.push(...context.changes);
    });
    await stage.up(() => Thing("a", { value: 9 }));
    for (const value of [3, 3, 4]) await stage.failures(() => Thing("a", { value }));
    const names = [...new Set(tokens.map(([token]) => token))];
    expect(changes).toEqual([]);
    expect(tokens.map(([token = "", attempt]) => [names.indexOf(token), attempt]).join(" ")).toBe(
      "0,1 0,2 1,1 2,1 3,1 3,2 4,1",
    );
  });

  test("says recovering where an earlier attempt may have taken effect", async () => {
    const { world, Thing, stage } = newWorld({ short });
    const seen: boolean[] = [];
    for (const call of ["create a", "update a", "delete a"]) {
      world.on(call, ({ recovering }) => {
        if (seen.push(recovering) % 3 !== 0) throw new Error("not yet");
      });
      const program = call === "delete a" ? () => {} : () => Thing("a", { value: call });
      await stage.failures(program);
      await stage.failures(program);
      await stage.up(program);
    }
    expect(seen).toEqual([false, true, true, false, true, true, false, true, true]);
  });

  test("aborts its signal with the run", async () => {
    const { world, Thing, stage } = newWorld({ short });
    const controller = new AbortController();
    let aborted: boolean | undefined;
    world.on("create a", ({ signal }) => {
      controller.abort();
      aborted = signal.aborted;
    });
    await stage.failures(() => Thing("a"), { signal: controller.signal });
    expect(aborted).toBe(true);
  });

  test("logs lines that observers hear, and registers cleanup", async () => {
    const { world, Thing, stage } = newWorld({ short });
    const order: string[] = [];
    world.on("create a", (context) => {
      context.log("half-way");
      context.onCleanup(() => order.push("first"));
      context.onCleanup(() => order.push("second"));
    });
    await stage.up(() => Thing("a"));
    expect(stage.heard("resource:log")).toMatchObject([{ id: "a", fqn: "app/dev/a", message: "half-way" }]);
    expect(order).toEqual(["second", "first"]);
  });
});

describe("the previous props", () => {
  test("are this.props of the function form, which gets the new ones as an argument", async () => {
    const stage = new Stage();
    const seen: unknown[] = [];
    const Thing = Resource<{ n: number }, { n: number }>(newKind(), function (_id, props) {
      seen.push([this.phase, this.props, props]);
      return this.phase === "delete" ? this.destroy() : props;
    });
    for (const n of [1, 2]) await stage.up(() => Thing("a", { n }));
    await stage.up();
    expect(seen).toEqual([
      ["create", undefined, { n: 1 }],
      ["update", { n: 1 }, { n: 2 }],
      ["delete", { n: 2 }, { n: 2 }],
    ]);
  });

  test("are `previous` of the long form, whose `props` are the new ones", async () => {
    const stage = new Stage();
    const seen: unknown[] = [];
    const Thing = Resource<{ n: number }, { n: number }>(newKind(), {
      create({ phase, props }) {
        seen.push([phase, props]);
        return props;
      },
      update({ phase, props, previous }) {
        seen.push([phase, previous, props]);
        return props;
      },
      delete: ({ phase, props }) => void seen.push([phase, props]),
    });
    for (const n of [1, 2]) await stage.up(() => Thing("a", { n }));
    await stage.up();
    expect(seen).toEqual([
      ["create", { n: 1 }],
      ["update", { n: 1 }, { n: 2 }],
      ["delete", { n: 2 }],
    ]);
  });
});

test("the methods of a context can be taken out of it", async () => {
  const stage = new Stage();
  const seen: unknown[] = [];
  const update = async ({ get, set, delete: drop, log, replace, onCleanup }: UpdateContext<object, { n: number }>) => {
    await set("k", 1);
    seen.push(await get("k"));
    await drop("k");
    seen.push(await get("k"));
    onCleanup(() => seen.push("cleaned"));
    log("replacing");
    return replace();
  };
  const Thing = Resource<object, { n: number }>(newKind(), {
    create: () => ({}),
    update,
    delete: ({ destroy }) => destroy(),
  });
  await stage.up(() => Thing("a", { n: 1 }));
  const app = await stage.up(() => Thing("a", { n: 2 }));
  expect(stage.summary).toEqual({ replaced: 1, deleted: 1 });
  expect(seen).toEqual([1, undefined, "cleaned"]);
  expect(recordOf(app, "a")?.status).toBe("ready");
});

test("a create that was stopped fails as that, whatever the members of what it throws do", async () => {
  const controller = new AbortController();
  const Odd = Resource<object, object>(newKind(), {
    create({ signal }) {
      controller.abort();
      const error = new Error("stopped", { cause: signal.reason });
      throw Object.defineProperty(error, "statusCode", {
        get() {
          throw new TypeError("No status.");
        },
      });
    },
    read: () => undefined,
    delete: () => {},
  });
  const failures = await new Stage().failures(() => Odd("a"), { signal: controller.signal });
  expect(failures).toMatchObject([{ code: "ABORTED" }]);
});

test("changes that a handler was given are not those of the next call, even if it tries to add some", async () => {
  const seen: (readonly string[])[] = [];
  const Rude = Resource<object, object>(newKind(), {
    create: ({ changes }) => ({ added: Reflect.set(changes, changes.length, "/x") }),
    delete: ({ changes }) => void seen.push([...changes]),
  });
  const stage = new Stage();
  await stage.up(() => Rude("a"));
  await stage.up(() => {});
  expect(seen).toEqual([[]]);
});
