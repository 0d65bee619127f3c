/** Physical names of retained resources, and of resources that are known by their names alone. */
import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { appOf } from "../../../core/run/index.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

interface Props {
  readonly region?: string;
}

/** A service of objects known by name alone: a create overwrites the object with its name, or refuses. */
function setUp({ strict = false }: { readonly strict?: boolean } = {}) {
  const things = new Map<string, string>();
  const reads: string[] = [];
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
    delete: () => {},
  });
  return { things, reads, Named, Other, stage: new Stage() };
}

const retained = { retainOnDelete: true } as const;
const first = { ...retained, deleteBeforeReplace: true } as const;

describe("the name of a retained resource", () => {
  test.each([
    { before: retained, options: retained, strict: true },
    { before: first, options: first, strict: true },
    { before: first, options: first, strict: false },
    // The same edit asks to retain the old copy and to delete it first.
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

interface Part {
  readonly name?: string;
  readonly inside?: boolean;
}

/** Objects that are known by their physical names alone, like buckets and roles. */
function withParts() {
  const things = new Set<string>();
  const Named = Resource<{ readonly name: string }, Part>(newKind(), {
    replaceOn: ["name"],
    async create({ physicalName, props }) {
      if (things.has(physicalName)) throw new Error(`${physicalName} already exists`);
      things.add(physicalName);
      if (props.inside) await Named("child", {});
      return { name: physicalName };
    },
    read: ({ physicalName }) => (things.has(physicalName) ? { name: physicalName } : undefined),
    update: ({ output }) => output,
    delete: ({ output }) => void things.delete(output.name),
  });
  return { things, Named, stage: new Stage() };
}

describe("what is known by its physical name", () => {
  test("and declared in the handler of a parent that is replaced outlives the delete of the old copy's", async () => {
    const { things, Named, stage } = withParts();
    await stage.up(() => Named("a", { name: "x", inside: true }));
    await stage.up(() => Named("a", { name: "y", inside: true }));
    const child = stage.record("a/child");
    expect(child?.physicalName).toMatch(/^app-a-child-[\da-f]{8}-dev$/);
    expect(things).toEqual(new Set([stage.record("a")?.physicalName, child?.physicalName]));
  });

  test("and declared under an id that another resource had before is not taken for that one", async () => {
    const { things, Named, stage } = withParts();
    await stage.up(() => Named("b", {}));
    await stage.up(() => Named("d", {}, { aliases: ["b"] }));
    await stage.up(async () => {
      await Named("d", {});
      await Named("b", {}, { adopt: true });
    });
    expect(things.size).toBe(2);
    // Deleting one must not delete the other.
    await stage.up(() => Named("b", {}));
    expect([...things]).toEqual([stage.record("b")?.physicalName]);
  });

  test("keeps the plain name where nothing else has it", async () => {
    const { things, Named, stage } = withParts();
    await stage.up(() => Named("a", { name: "x", inside: true }));
    await stage.up();
    await stage.up(() => Named("a", { name: "x", inside: true }));
    expect(things).toEqual(new Set(["app-a-dev", "app-a-child-dev"]));
  });
});
