/** What the next run makes of a create that failed, or took effect without an answer, where the program still declares it. */
import { describe, expect, test } from "vitest";
import { EngineError } from "../../../core/base/index.js";
import type { ResourceOptions } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import type { Props, TypeOptions } from "../../helpers/apps/world.js";

interface Next {
  readonly how: "failed" | "lost";
  readonly type?: TypeOptions;
  /** Its read cannot tell what the create has made. */
  readonly cannotTell?: boolean;
  readonly props?: Props;
  readonly options?: ResourceOptions;
  readonly calls: readonly string[];
  readonly names: readonly string[];
  readonly summary: object;
  readonly warnings?: readonly object[];
}

const BEFORE = { value: 1, name: "x" };
const [CREATED, REPLACED, ADOPTED] = [{ created: 1 }, { replaced: 1, deleted: 1 }, { adopted: 1 }];
const READ = { read: true };
const repeated = { code: "REPEATED_CREATE", fqn: "app/dev/a" };
const doubtful = expect.stringContaining("cannot tell whether the first one took effect");

describe("a create that failed or was interrupted", () => {
  test("is pending, with the error's message", async () => {
    const { Thing, stage, failed } = newWorld();
    const message = 'create of "app/dev/a" failed: no create a';
    const errors = await failed("create a", () => Thing("a"));
    expect(errors).toMatchObject([{ code: "HANDLER_FAILED", fqn: "app/dev/a", message }]);
    expect(stage.record("a")).toMatchObject({ status: "creating", error: message });
    expect(await stage.app.has("a")).toBe(false);
  });

  test.each<[string, Next]>([
    [
      "is created again where read finds nothing",
      { how: "failed", type: READ, calls: ["read a", "create a"], names: ["a#1"], summary: CREATED },
    ],
    [
      "is created again where the type has no read, with a warning that it may be there twice",
      { how: "failed", calls: ["create a"], names: ["a#1"], summary: CREATED, warnings: [repeated] },
    ],
    [
      "is created again where read cannot tell what it made, with a warning that it may be there twice",
      {
        how: "lost",
        type: READ,
        cannotTell: true,
        calls: ["read a", "create a"],
        names: ["a#1", "a#2"],
        summary: CREATED,
        warnings: [{ ...repeated, message: doubtful }],
      },
    ],
    [
      "is taken over where read cannot tell whose it is, and the program says adopt",
      {
        how: "lost",
        type: READ,
        cannotTell: true,
        options: { adopt: true },
        calls: ["read a", "read a", "update a"],
        names: ["a#1"],
        summary: ADOPTED,
      },
    ],
    [
      "is created again without a warning where the type is idempotent",
      { how: "failed", type: { idempotent: true }, calls: ["create a"], names: ["a#1"], summary: CREATED },
    ],
    [
      "is replaced where read finds what it made and a changed prop asks for that",
      {
        how: "lost",
        type: { read: true, replaceOn: ["name"] },
        props: { ...BEFORE, name: "y" },
        calls: ["read a", "create a", "delete a"],
        names: ["a#2"],
        summary: REPLACED,
      },
    ],
    [
      "is taken as it is found where the type has no update and the props are the same",
      { how: "lost", type: { read: true, update: false }, calls: ["read a"], names: ["a#1"], summary: CREATED },
    ],
    [
      "is replaced where the type has no update and the props are others",
      {
        how: "lost",
        type: { read: true, update: false },
        props: { value: 2 },
        calls: ["read a", "create a", "delete a"],
        names: ["a#2"],
        summary: REPLACED,
      },
    ],
  ])("%s", async (_what, { how, type, cannotTell, props = BEFORE, options, calls, names, summary, warnings = [] }) => {
    const { world, Thing, stage, ...mishaps } = newWorld(type);
    await mishaps[how]("create a", () => Thing("a", BEFORE));
    world.on("read a", ({ recovering }) => {
      if (cannotTell && recovering) throw new EngineError("UNRESOLVED", "who knows");
    });
    let output: unknown;
    const declare = async () => {
      output = await Thing("a", props, options);
    };
    await stage.up(declare);
    expect(world.news()).toEqual(calls);
    expect(world.names).toEqual(names);
    expect(stage.summary).toEqual(summary);
    expect(stage.heard("warning")).toMatchObject(warnings);
    expect(output).toEqual({ thing: names.at(-1), value: props.value });
    expect(stage.keys).toEqual(["a"]);
    await stage.up(declare);
    expect(stage.summary).toEqual({ skipped: 1 });
  });

  test("goes on as an update where read finds what it made, with the token that it had", async () => {
    const { world, Thing, stage, lost } = newWorld(READ);
    const seen: unknown[] = [];
    world.on("create a", ({ token }) => void seen.push(token));
    await lost("create a", () => Thing("a", { value: 1 }));
    world.on("read a", ({ token, recovering }) => void seen.push(token, recovering));
    world.on("update a", ({ token, recovering, attempt }) => void seen.push(token, recovering, attempt));
    await stage.up(() => Thing("a", { value: 1 }));
    expect(world.calls).toEqual(["read a", "update a"]);
    const [token] = seen;
    expect(seen).toEqual([token, token, true, token, true, 2]);
    expect(stage.record("a")).toMatchObject({ status: "ready", output: { thing: "a#1" }, error: undefined });
    expect(world.names).toEqual(["a#1"]);
  });
});
