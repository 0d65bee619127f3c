import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { secretStage } from "../../helpers/apps/secret-stage.js";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { newKind, World } from "../../helpers/apps/world.js";

interface Props {
  readonly size?: number;
  readonly tags?: { readonly team?: string; readonly cost?: string };
  readonly ports?: readonly number[];
  readonly key?: Secret;
}

/** A type that records the props of each handler call. */
function setUp(stage = new Stage()) {
  const calls: [phase: string, props: Props, changes: readonly string[]][] = [];
  const Box = Resource<{ size: number }, Props>(newKind(), {
    create: ({ props }) => {
      calls.push(["create", props, []]);
      return { size: props.size ?? 0 };
    },
    update: ({ props, changes }) => {
      calls.push(["update", props, changes]);
      return { size: props.size ?? 0 };
    },
    delete() {},
  });
  const up = (props: Props, ...ignoreChanges: string[]) => stage.up(() => Box("a", props, { ignoreChanges }));
  return { Box, stage, calls, up };
}

const recorded: Props = { size: 1, tags: { team: "x", cost: "1" }, ports: [80, 443] };

describe("a change that is to be ignored", () => {
  test.each<[what: string, path: string, props: Props]>([
    ["of a prop", "size", { ...recorded, size: 2 }],
    ["of a nested prop", "tags.team", { ...recorded, tags: { team: "y", cost: "1" } }],
    ["of a nested prop, by pointer", "/tags/team", { ...recorded, tags: { team: "y", cost: "1" } }],
    ["of all that is in a prop", "tags", { ...recorded, tags: {} }],
    ["of everything", "*", { size: 5, ports: [] }],
    ["of an element", "ports.1", { ...recorded, ports: [80, 8443] }],
    ["that drops a prop", "tags.team", { ...recorded, tags: { cost: "1" } }],
    ["that drops what holds a prop, when nothing else is in there", "ports", { size: 1, tags: recorded.tags ?? {} }],
  ])("%s skips the resource", async (_what, path, props) => {
    const { calls, stage, up } = setUp();
    await up(recorded);
    const app = await up(props, path);
    expect(calls).toEqual([["create", recorded, []]]);
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect(recordOf(app, "a")?.props).toEqual(recorded);
    await up(recorded, path);
    expect(stage.heard("state:committed")).toEqual([]);
  });

  test("does not hold up the others: the handler and the record have the value that it had", async () => {
    const { calls, up } = setUp();
    await up(recorded);
    const app = await up({ ...recorded, size: 2, tags: { team: "y", cost: "2" } }, "tags.team");
    const expected = { ...recorded, size: 2, tags: { team: "x", cost: "2" } };
    expect(calls.at(-1)).toEqual(["update", expected, ["/size", "/tags/cost"]]);
    expect(recordOf(app, "a")?.props).toEqual(expected);
  });

  test("counts again once it is not ignored any more", async () => {
    const { calls, up } = setUp();
    await up({ size: 1 });
    await up({ size: 2 }, "size");
    await up({ size: 2 });
    expect(calls.at(-1)).toEqual(["update", { size: 2 }, ["/size"]]);
  });

  test("has no effect on a create, also on one that failed with another value", async () => {
    const { calls, up, stage, Box } = setUp();
    await up({ size: 1 }, "size");
    expect(calls).toEqual([["create", { size: 1 }, []]]);
    const world = new World();
    const Thing = world.type();
    world.fails("create b", "that is no size");
    await stage.failures(() => [Box("a", { size: 1 }), Thing("b", { value: "wrong" }, { ignoreChanges: ["value"] })]);
    world.calm();
    await stage.up(() => [Box("a", { size: 1 }), Thing("b", { value: "right" }, { ignoreChanges: ["value"] })]);
    expect([...world.things.values()]).toMatchObject([{ value: "right" }]);
  });

  test("has no effect where the kind has changed: the props of another kind mean nothing to it", async () => {
    const { calls, up, stage } = setUp();
    const { Box: Other, calls: others } = setUp();
    await up({ size: 1 });
    await stage.up(() => Other("a", { size: 2 }, { ignoreChanges: ["size"] }));
    expect(calls).toHaveLength(1);
    expect(others).toEqual([["create", { size: 2 }, []]]);
  });

  test("counts in a replacement, which is made as the program says", async () => {
    const { calls, stage, Box } = setUp();
    await stage.up(() => Box("a", { size: 1, ports: [1] }));
    await stage.up(() => Box("a", { size: 2, ports: [2] }, { ignoreChanges: ["ports"], replaceOnChanges: ["size"] }));
    expect(calls.at(-1)).toEqual(["create", { size: 2, ports: [2] }, []]);
  });

  test("goes back to the last good value where an update has failed with another one", async () => {
    const { world, Thing, stage, failed } = newWorld();
    await stage.up(() => Thing("a", { value: 1 }));
    await failed("update a", () => Thing("a", { value: 2 }));
    await stage.up(() => Thing("a", { value: 3 }, { ignoreChanges: ["value"] }));
    expect([...world.things.values()]).toMatchObject([{ value: 1 }]);
  });

  test("may be one of a secret, which stays as it was", async () => {
    const { calls, up, stage } = setUp(secretStage());
    await up({ size: 1, key: new Secret("old") });
    await up({ size: 1, key: new Secret("new") }, "key");
    expect(stage.summary).toEqual({ unchanged: 1 });
    await up({ size: 2, key: new Secret("new") }, "key");
    const [, props] = calls.at(-1) ?? [];
    expect([props?.size, props?.key?.unencrypted]).toEqual([2, "old"]);
  });
});
