/** Ignored props that another program changed. */

import { describe, expect, test } from "vitest";
import { PartlyDeleted } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

interface Props {
  readonly size?: number;
  readonly image?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly disks?: readonly { readonly name: string; readonly size?: number }[];
}

/** A service that holds one machine, which other programs may change. */
function setUp(more: { verify?: boolean; read?: boolean; update?: boolean; asks?: boolean } = {}) {
  const { verify = true, read = true, update = true, asks = false } = more;
  const service: { machine?: Props | undefined; calls: unknown[]; isLocked?: boolean } = { calls: [] };
  const Machine = Resource<Props, Props>(newKind(), {
    create: ({ props }) => {
      service.calls.push(["create", props]);
      service.machine = props;
      return props;
    },
    delete() {
      if (service.isLocked) throw new PartlyDeleted("a disk is locked", service.machine);
    },
    ...(read ? { read: () => service.machine } : {}),
    ...(read && verify ? { verify } : {}),
    ...(update
      ? {
          update: (context) => {
            if (asks) return context.replace();
            service.calls.push(["update", context.props, context.changes]);
            service.machine = context.props;
            return context.props;
          },
        }
      : {}),
    ...(asks ? { replaces: () => true } : {}),
  });
  const stage = new Stage();
  const up = (props: Props, ignoreChanges: readonly string[], options = {}) => {
    service.calls = [];
    return stage.up(() => Machine("a", props, { ignoreChanges }), options);
  };
  return { service, stage, up, Machine };
}

const first: Props = { size: 1, image: "v1", tags: { team: "x" } };

describe("a prop that was changed elsewhere and is ignored", () => {
  test.each<[what: string, path: string, there: Props]>([
    ["a prop", "image", { ...first, image: "v2" }],
    ["a nested prop", "tags.team", { ...first, tags: { team: "y" } }],
    ["all of a prop", "tags", { ...first, tags: { team: "y", cost: "1" } }],
    ["any member", "tags.*", { ...first, tags: { team: "x", cost: "1" } }],
    ["a prop that was dropped", "tags.team", { ...first, tags: {} }],
    ["everything", "*", { size: 5, image: "v2", tags: {} }],
  ])("is not set back, and is not drift: %s", async (_what, path, there) => {
    const { service, stage, up } = setUp();
    await up(first, [path]);
    service.machine = there;
    await up(first, [path]);
    expect(service.calls).toEqual([]);
    expect(stage.summary).toEqual({ unchanged: 1 });
    await up(first, [path], { refresh: true });
    expect(stage.heard("resource:drifted")).toEqual([]);
    await up(first, [path], { refresh: true, plan: true });
    expect(stage.heard("plan:made")).toMatchObject([{ actions: [] }]);
    expect(service.machine).toEqual(there);
  });

  test.each([true, false])(
    "is not set back after a delete that has left a part of it, update fails: %s",
    async (fails) => {
      const { service, stage, Machine } = setUp();
      const program = () => Machine("a", first, { ignoreChanges: ["image"] });
      await stage.up(program);
      service.machine = { ...first, image: "v2" };
      service.isLocked = true;
      await stage.failures(() => {});
      if (fails) {
        const { machine } = service;
        Object.defineProperty(service, "machine", {
          configurable: true,
          get: () => machine,
          set() {
            throw new Error("not now");
          },
        });
        await stage.failures(program);
        Object.defineProperty(service, "machine", { configurable: true, writable: true, value: machine });
      }
      service.calls = [];
      const app = await stage.up(program);
      expect(service.calls).toEqual([["update", { ...first, image: "v2" }, []]]);
      expect(recordOf(app, "a")?.lastGood).toBeUndefined();
    },
  );

  test("hides no drift of another prop, whose repair leaves it as it is", async () => {
    const { service, up } = setUp();
    await up(first, ["image"]);
    service.machine = { ...first, size: 7, image: "v2" };
    await up(first, ["image"]);
    expect(service.calls).toEqual([["update", { ...first, image: "v2" }, []]]);
  });

  test.each([true, false])("stays as it is when another prop is updated, verify: %s", async (verify) => {
    const { service, up } = setUp({ verify });
    await up(first, ["image"]);
    service.machine = { ...first, image: "v2" };
    await up({ ...first, size: 2 }, ["image"]);
    expect(service.calls).toEqual([["update", { ...first, size: 2, image: "v2" }, ["/size"]]]);
    await up({ ...first, size: 2 }, ["image"]);
    expect(service.calls).toEqual([]);
  });

  test("stays as it is also in an element of a list", async () => {
    const { service, up } = setUp({ verify: false });
    const disks = [{ name: "a", size: 1 }, { name: "b" }];
    await up({ size: 1, disks }, ["disks[*].size"]);
    const disk = (name: string, size: number) => ({ name, size });
    service.machine = { size: 1, disks: [disk("a", 5), disk("b", 6)] };
    await up({ size: 2, disks: [disk("a", 1), { name: "c" }] }, ["disks[*].size"]);
    const given = [disk("a", 5), disk("c", 6)];
    expect(service.calls).toEqual([["update", { size: 2, disks: given }, ["/size", "/disks/1/name"]]]);
  });

  test.each([
    ["the type has no read", { read: false }],
    ["`read` finds nothing and the type has no verify", { verify: false }],
  ])("is passed as it is recorded where %s", async (_why, type) => {
    const { service, up } = setUp(type);
    await up(first, ["image"]);
    service.machine = undefined;
    await up({ ...first, size: 2, image: "v3" }, ["image"]);
    expect(service.calls).toEqual([["update", { ...first, size: 2 }, ["/size"]]]);
  });

  test.each<[string, Parameters<typeof setUp>[0]]>([
    ["because its type cannot update", { update: false }],
    ["because its update asks for it", { asks: true }],
  ])("has the value of the program in a replacement, in plan and run: %s", async (_why, type) => {
    const { service, stage, up } = setUp(type);
    await up(first, ["image"]);
    service.machine = { ...first, image: "v2" };
    const next = { ...first, size: 2, image: "v3" };
    await up(next, ["image"], { plan: true });
    expect(stage.heard("plan:made")).toMatchObject([{ actions: [{ action: "replace", props: next }] }]);
    await up(next, ["image"]);
    expect(service.calls).toEqual([["create", next]]);
  });

  test("has the value of the program in a copy in place of one that is gone", async () => {
    const { service, up } = setUp();
    await up(first, ["image"]);
    service.machine = undefined;
    await up({ ...first, image: "v3" }, ["image"]);
    expect(service.calls).toEqual([["create", { ...first, image: "v3" }]]);
  });

  test("is planned as it is applied", async () => {
    const { service, stage, up } = setUp({ verify: false });
    await up(first, ["image"]);
    service.machine = { ...first, image: "v2" };
    const next = { ...first, size: 2 };
    await up(next, ["image"], { plan: true });
    expect(stage.heard("plan:made")).toMatchObject([
      { actions: [{ action: "update", props: { ...next, image: "v2" }, changes: [{ path: "/size" }] }] },
    ]);
  });
});

describe("a path of ignoreChanges", () => {
  const unmatched = (stage: Stage) =>
    stage.heard("warning").flatMap(({ code, message }) => (code === "IGNORE_UNMATCHED" ? [message] : []));

  test("that matches no prop is warned of once, with the resource", async () => {
    const { stage, up } = setUp();
    const message = expect.stringMatching(/"app\/dev\/a".*"imgae"/);
    await up(first, ["imgae", "size"]);
    expect(unmatched(stage)).toEqual([message]);
    await up(first, ["imgae", "size"]);
    expect(unmatched(stage)).toEqual([message]);
  });

  test.each(["tags", "tags.team", "tags.*", "/tags/team", "*", "disks[*].size", "disks[0].name", "disks[*]"])(
    "that matches something is not warned of: %s",
    async (path) => {
      const { stage, up } = setUp();
      await up({ ...first, disks: [{ name: "a", size: 1 }] }, [path]);
      expect(unmatched(stage)).toEqual([]);
    },
  );

  test("that leads into an empty list is not warned of", async () => {
    const { stage, up } = setUp();
    await up({ size: 1, disks: [] }, ["disks[*].size"]);
    expect(unmatched(stage)).toEqual([]);
  });
});
