/** Names of old copies that wait for their delete, and of resources that were retained. */
import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { appOf } from "../../../core/run/index.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

interface Props {
  readonly region?: string;
}

/** A service whose things have names and nothing else: a create overwrites, or refuses, what has its name. */
function setUp({ strict = false }: { readonly strict?: boolean } = {}) {
  const things = new Map<string, string>();
  const reads: string[] = [];
  let isBusy = false;
  const Named = Resource<{ readonly name: string }, Props>(newKind(), {
    replaceOn: ["region"],
    create({ physicalName, props }) {
      if (strict && things.has(physicalName)) throw new Error(`${physicalName} already exists`);
      things.set(physicalName, props.region ?? "none");
      return { name: physicalName };
    },
    read({ output, physicalName }) {
      const name = output?.name ?? physicalName;
      reads.push(name);
      return things.has(name) ? { name } : undefined;
    },
    update: ({ output }) => output,
    delete: ({ output }) => void things.delete(output.name),
  });
  const Other = Resource(newKind(), {
    create: (_context: { props: Props }) => ({}),
    update() {
      if (isBusy) throw new Error("busy");
      return {};
    },
    delete: () => {},
  });
  const busy = (now: boolean): void => {
    isBusy = now;
  };
  return { things, reads, Named, Other, busy, stage: new Stage() };
}

const retained = { retainOnDelete: true } as const;
const first = { ...retained, deleteBeforeReplace: true } as const;

describe("a third copy that is made after its predecessor was deleted first", () => {
  test.each([{ strict: false }, { strict: true }])("outlives the first, which waited (%o)", async (service) => {
    const { things, Named, Other, busy, stage } = setUp(service);
    const program =
      (region: string, deleteBeforeReplace = false) =>
      async () => {
        await Named("q", { region }, { deleteBeforeReplace });
        await Other("x", { region });
      };
    await stage.up(program("eu"));
    busy(true);
    await stage.failures(program("us"));
    busy(false);
    await stage.up(program("ap", true));
    const name = stage.record("q")?.physicalName;
    expect([...things]).toEqual([[name, "ap"]]);
    expect(name).toMatch(/^app-q-[\da-f]{8}-dev$/);
  });
});

describe("the name of a retained resource", () => {
  test.each([
    { before: retained, options: retained, strict: true },
    { before: first, options: first, strict: true },
    { before: first, options: first, strict: false },
    // The same edit asks to retain it and to delete it first.
    { before: {}, options: first, strict: true },
  ])("is not given to the copy that replaces it (%o)", async ({ before, options, strict }) => {
    const { things, Named, stage } = setUp({ strict });
    await stage.up(() => Named("db", { region: "eu" }, before));
    await stage.up(() => Named("db", { region: "us" }, options));
    expect([...things]).toEqual([
      ["app-db-dev", "eu"],
      [stage.record("db")?.physicalName, "us"],
    ]);
  });

  test("is not given to what is declared under its id in a later run", async () => {
    const { things, Named, stage } = setUp();
    await stage.up(() => Named("db", { region: "eu" }, retained));
    await stage.up();
    await stage.up(() => Named("db", { region: "us" }));
    await stage.up();
    expect([...things]).toEqual([["app-db-dev", "eu"]]);
  });

  test("is looked for first by a declaration that adopts, and is free to be deleted with that", async () => {
    const { things, reads, Named, stage } = setUp();
    await stage.up(() => Named("db", { region: "eu" }, retained));
    await stage.up();
    reads.length = 0;
    await stage.up(() => Named("db", { region: "eu" }, { adopt: true }));
    expect(reads).toEqual(["app-db-dev"]);
    expect(stage.summary).toEqual({ adopted: 1 });
    expect(stage.record("db")).toMatchObject({ physicalName: "app-db-dev", status: "ready" });
    expect([...appOf(stage.app).ledger.contents.data.keys()]).toEqual([]);
    await stage.up();
    expect(things.size).toBe(0);
    await stage.up(() => Named("db", { region: "eu" }));
    expect(stage.record("db")?.physicalName).toBe("app-db-dev");
  });

  test("stays taken where a declaration that adopts finds it gone: the new one gets another", async () => {
    const { things, Named, stage } = setUp();
    await stage.up(() => Named("db", { region: "eu" }, retained));
    await stage.up();
    things.clear();
    await stage.up(() => Named("db", { region: "eu" }, { adopt: true }));
    expect(stage.summary).toEqual({ created: 1 });
    expect(stage.record("db")?.physicalName).toMatch(/^app-db-[\da-f]{8}-dev$/);
  });

  test("of several is tried newest first", async () => {
    const { reads, Named, stage } = setUp();
    await stage.up(() => Named("db", { region: "eu" }, retained));
    await stage.up(() => Named("db", { region: "us" }, retained));
    const newest = stage.record("db")?.physicalName;
    await stage.up();
    reads.length = 0;
    await stage.up(() => Named("db", { region: "eu" }, { adopt: true }));
    expect(reads).toEqual([newest]);
  });

  test("of a part that goes with its parent is kept as well", async () => {
    const { things, Named, stage } = setUp({ strict: true });
    const Whole = Resource(newKind(), {
      create: async (_context: { props: Props }) => void (await Named("part")),
      update: async () => void (await Named("part")),
      delete: () => {},
    });
    await stage.up(() => Whole("a", {}, retained));
    await stage.up();
    await stage.up(() => Whole("a"));
    expect(things.size).toBe(2);
  });

  test("outlives a destroy, which lists it", async () => {
    const { things, Named, Other, stage } = setUp();
    await stage.up(() => [Named("db", { region: "eu" }, retained), Other("x")]);
    await stage.up(() => Other("x"));
    expect(recordsOf(await stage.destroy())).toEqual([]);
    expect(stage.heard("warning")).toMatchObject([
      {
        code: "RETAINED",
        message: expect.stringMatching(/"app\/dev\/db" .*"app-db-dev".*engine state forget --retained/s),
      },
    ]);
    await stage.up(() => Named("db", { region: "us" }));
    expect(things.get("app-db-dev")).toBe("eu");
  });
});

test("two ids that come to one name at the same time get two", async () => {
  const { things, Named, stage } = setUp({ strict: true });
  await stage.up((app) =>
    Promise.all([
      stage.engine.run("a", () => Named("b-c")),
      stage.engine.run("a-b", () => Named("c")),
      app.createPhysicalName("x"),
    ]),
  );
  expect(things.size).toBe(2);
});
