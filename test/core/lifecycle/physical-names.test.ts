import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

interface Props {
  readonly name?: string;
  readonly inside?: boolean;
}

/** Things that are known by their physical names alone, as buckets and roles are. */
function setUp() {
  const things = new Set<string>();
  const Named = Resource<{ readonly name: string }, Props>(newKind(), {
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
    const { things, Named, stage } = setUp();
    await stage.up(() => Named("a", { name: "x", inside: true }));
    await stage.up(() => Named("a", { name: "y", inside: true }));
    const child = stage.record("a/child");
    expect(child?.physicalName).toMatch(/^app-a-child-[\da-f]{8}-dev$/);
    expect(things).toEqual(new Set([stage.record("a")?.physicalName, child?.physicalName]));
  });

  test("and declared under an id that another resource had before is not taken for that one", async () => {
    const { things, Named, stage } = setUp();
    await stage.up(() => Named("b", {}));
    await stage.up(() => Named("d", {}, { aliases: ["b"] }));
    await stage.up(async () => {
      await Named("d", {});
      await Named("b", {}, { adopt: true });
    });
    expect(things.size).toBe(2);
    // The delete of the one leaves the other alone.
    await stage.up(() => Named("b", {}));
    expect([...things]).toEqual([stage.record("b")?.physicalName]);
  });

  test("keeps the plain name where nothing else has it", async () => {
    const { things, Named, stage } = setUp();
    await stage.up(() => Named("a", { name: "x", inside: true }));
    await stage.up();
    await stage.up(() => Named("a", { name: "x", inside: true }));
    expect(things).toEqual(new Set(["app-a-dev", "app-a-child-dev"]));
  });
});
