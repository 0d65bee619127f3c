/** Keeps the token of a create that may have taken effect, is repeated, and fails again. */

import { describe, expect, test } from "vitest";
import { EngineError } from "../../../core/base/index.js";
import { Resource } from "../../../core/resource/index.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

type Mishap = "before" | "behind" | "nothing" | undefined;

interface Options {
  readonly idempotent?: boolean;
}

/** A service that recognizes the tokens of its requests, if its type says so. Each create meets the next mishap. */
function setUp({ idempotent = true }: Options = {}) {
  const boxes = new Map<string, number>();
  const calls: string[] = [];
  const tokens: string[] = [];
  const mishaps: Mishap[] = [];
  let made = 0;
  const Box = Resource<{ readonly token: string }, { readonly size: number }>(newKind(), {
    idempotent,
    create({ props: { size }, token, recovering }) {
      calls.push(`create ${size}${recovering ? " again" : ""}`);
      tokens.push(token);
      const mishap = mishaps.shift();
      if (mishap === "nothing") throw new EngineError("NOT_CREATED", "the quota is used up");
      if (mishap === "before") throw new Error("503");
      const box = idempotent ? token : `box ${++made}`;
      if (!boxes.has(box)) boxes.set(box, size);
      if (mishap === "behind") throw new Error("connection reset");
      return { token: box };
    },
    update({ props: { size }, output }) {
      calls.push(`update ${size}`);
      boxes.set(output.token, size);
      return output;
    },
    delete({ output }) {
      calls.push("delete");
      boxes.delete(output.token);
    },
  });
  const stage = new Stage();
  const warned = (): unknown[] => stage.heard("warning").map(({ code }) => code);
  return { boxes, calls, tokens, mishaps, Box, stage, warned };
}

describe("an idempotent create that may have taken effect, and whose first repeat fails,", () => {
  test("leaves one resource in the end, also with other props", async () => {
    const { boxes, calls, tokens, mishaps, Box, stage, warned } = setUp();
    mishaps.push("behind", "before");
    await stage.failures(() => Box("a", { size: 1 }));
    const failures = await stage.failures(() => Box("a", { size: 2 }));
    expect(failures).toMatchObject([{ code: "HANDLER_FAILED", fqn: "app/dev/a" }]);
    expect(String(failures[0])).toContain("engine state forget app/dev/a");
    await stage.up(() => Box("a", { size: 2 }));
    expect(calls).toEqual(["create 1", "create 1 again", "create 1 again", "update 2"]);
    expect(new Set(tokens).size).toBe(1);
    expect([...boxes.values()]).toEqual([2]);
    expect(stage.record("a")).toMatchObject({ status: "ready", props: { size: 2 } });
    expect(warned()).toEqual([]);
    await stage.up();
    expect(boxes.size).toBe(0);
  });

  test("is repeated as often as its retry says, before the update to the present props", async () => {
    const { boxes, calls, mishaps, Box, stage } = setUp();
    mishaps.push("behind", "before", "behind");
    await stage.failures(() => Box("a", { size: 1 }));
    await stage.up(() => Box("a", { size: 2 }, { retry: { attempts: 3, delay: 1 } }));
    expect(calls).toEqual(["create 1", "create 1 again", "create 1 again", "create 1 again", "update 2"]);
    expect([...boxes.values()]).toEqual([2]);
  });

  test.each<[string, number | undefined]>([
    ["with the same props", 1],
    ["where it is no longer declared", undefined],
  ])("names the command that ends it also %s", async (_what, size) => {
    const { boxes, mishaps, Box, stage } = setUp();
    mishaps.push("behind", "before");
    await stage.failures(() => Box("a", { size: 1 }));
    const program = () => (size === undefined ? undefined : Box("a", { size }));
    expect(String((await stage.failures(program))[0])).toContain("engine state forget app/dev/a");
    await stage.up(program);
    expect(boxes.size).toBe(size === undefined ? 0 : 1);
    expect(stage.keys).toHaveLength(boxes.size);
  });

  test("has a new token for the update that follows", async () => {
    const { calls, mishaps, Box, stage } = setUp();
    mishaps.push("behind");
    await stage.failures(() => Box("a", { size: 1 }));
    const before = stage.record("a");
    await stage.up(() => Box("a", { size: 2 }));
    expect(calls.at(-1)).toBe("update 2");
    expect(stage.record("a")?.token).not.toBe(before?.token);
  });
});

describe("a create that says that it made nothing", () => {
  test.each([{ idempotent: true }, { idempotent: false }])(
    "begins again with the present props, and does not mention a second one (%o)",
    async (options) => {
      const { boxes, calls, tokens, mishaps, Box, stage, warned } = setUp(options);
      mishaps.push("nothing");
      const failures = await stage.failures(() => Box("a", { size: 1 }));
      expect(failures).toMatchObject([
        { code: "NOT_CREATED", message: 'create of "app/dev/a" failed: the quota is used up' },
      ]);
      await stage.up(() => Box("a", { size: 2 }));
      expect(calls).toEqual(["create 1", "create 2"]);
      expect(new Set(tokens).size).toBe(2);
      expect([...boxes.values()]).toEqual([2]);
      expect(stage.record("a")?.claim).toBeUndefined();
      expect(warned()).toEqual([]);
    },
  );

  test("is forgotten without another look where it is no longer declared", async () => {
    const { calls, mishaps, Box, stage, warned } = setUp({ idempotent: false });
    mishaps.push("nothing");
    await stage.failures(() => Box("a", { size: 1 }));
    expect(recordsOf(await stage.up())).toEqual([]);
    expect([calls, warned()]).toEqual([["create 1"], []]);
  });

  test("does not end the token of an earlier attempt that may have taken effect", async () => {
    const { boxes, tokens, mishaps, Box, stage } = setUp();
    mishaps.push("behind", "nothing");
    await stage.failures(() => Box("a", { size: 1 }));
    expect(await stage.failures(() => Box("a", { size: 2 }))).toMatchObject([{ code: "NOT_CREATED" }]);
    await stage.up(() => Box("a", { size: 2 }));
    expect([new Set(tokens).size, [...boxes.values()]]).toEqual([1, [2]]);
  });

  test.each([
    { mishaps: ["nothing", "nothing"] as const, isEnded: true },
    { mishaps: ["nothing", "before"] as const, isEnded: false },
    { mishaps: ["before", "nothing"] as const, isEnded: false },
  ])("is tried again with the same token, which ends if all said so: $mishaps", async ({ mishaps: both, isEnded }) => {
    const { tokens, calls, mishaps, Box, stage } = setUp();
    mishaps.push(...both);
    await stage.failures(() => Box("a", { size: 1 }, { retry: { attempts: 2, delay: 1 } }));
    expect(new Set(tokens).size).toBe(1);
    await stage.up(() => Box("a", { size: 2 }));
    expect(new Set(tokens).size).toBe(isEnded ? 2 : 1);
    expect(calls.at(-1)).toBe(isEnded ? "create 2" : "update 2");
  });

  test("is not believed for its parent, whose part said so", async () => {
    const { mishaps, Box, stage } = setUp();
    mishaps.push("nothing");
    const tokens: string[] = [];
    const Whole = Resource(newKind(), {
      idempotent: true,
      async create({ token }: { props: object; token: string }) {
        tokens.push(token);
        await Box("part", { size: 1 });
        return {};
      },
      update: ({ output }) => output,
      delete: () => {},
    });
    await stage.failures(() => Whole("a", { n: 1 }));
    await stage.up(() => Whole("a", { n: 2 }));
    expect([tokens.length, new Set(tokens).size]).toEqual([2, 1]);
  });
});

test.each<[string, Mishap, number, string[]]>([
  ["warns of a retry of a type that can neither be read nor repeated", "behind", 2, ["REPEATED_CREATE"]],
  ["is silent where the attempt before made nothing", "nothing", 1, []],
])("REPEATED_CREATE %s", async (_what, mishap, count, codes) => {
  const { boxes, mishaps, Box, stage, warned } = setUp({ idempotent: false });
  mishaps.push(mishap);
  await stage.up(() => Box("a", { size: 1 }, { retry: { attempts: 2, delay: 1 } }));
  expect([boxes.size, warned()]).toEqual([count, codes]);
});
