import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { StandardSchema } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { newNetwork, said, setUpPlans } from "../../helpers/apps/planning.js";
import { failuresOf } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

describe("in a plan, what only a handler could tell", () => {
  test("is an unknown value in the program, and what is known beforehand is there", async () => {
    const { plan, Thing } = setUpPlans();
    const Network = newNetwork();
    const made = await plan(async () => {
      const { name, address } = await Network("net", { name: "main" });
      expect(name).toBe("main");
      await Thing("a", { value: { url: `https://${address}/x`, raw: address, name } });
    });
    expect(made.actions[1]).toMatchObject({
      changes: [
        { path: "/value", new: { url: "https://(known after apply)/x", raw: "(known after apply)", name: "main" } },
      ],
    });
  });

  test("hides neither what the type says beforehand of the rest, nor what is known of a value that is passed on whole", async () => {
    const { plan, Thing } = setUpPlans();
    const Network = newNetwork();
    interface Box {
      readonly label: string;
      readonly url: string;
      readonly spec: { readonly at: string; readonly size: number };
    }
    const Box = Resource<Box & { readonly id: number }, Box>(newKind(), {
      create: ({ props }) => ({ ...props, id: 1 }),
      delete: () => {},
      outputs: ({ props: { label, url, spec } }) => ({ label, url: `https://${url}`, spec }),
    });
    const made = await plan(async () => {
      const net = await Network("net", { name: "main" });
      const box = await Box("box", { label: "l", url: net.address, spec: { at: net.address, size: 2 } });
      expect(box.label).toBe("l");
      expect(box.spec.size).toBe(2);
      await Thing("a", { value: { url: box.url, id: box.id, spec: box.spec, net } });
    });
    const unknown = "(known after apply)";
    expect(made.actions[2]).toMatchObject({
      changes: [
        {
          path: "/value",
          new: {
            url: `https://${unknown}`,
            id: unknown,
            spec: { at: unknown, size: 2 },
            net: { name: "main", [unknown]: unknown },
          },
        },
      ],
    });
  });

  test("is not taken for known by what is made of what stands for it, or where that cannot be computed with", async () => {
    const { plan, Thing } = setUpPlans();
    type Made = Readonly<Record<"digest" | "length" | "upper" | "sure", unknown>>;
    const types = (more: (value: string) => unknown) =>
      Resource<Made, { value: string }>(newKind(), {
        create: ({ props }) => ({ digest: 0, length: 0, upper: 0, sure: props.value }),
        delete: () => {},
        outputs: ({ props: { value } }) => ({
          digest: hash("sha256", `${value}`),
          length: `${value}`.length,
          upper: `${value}`.toUpperCase(),
          sure: 1,
          more: more(value),
        }),
      });
    const [Fine, Broken] = [types(() => 1), types((value) => Number(value) + 1)];
    const made = await plan(async () => {
      const { address } = await newNetwork()("net", { name: "main" });
      for (const [id, Type] of [
        ["fine", Fine],
        ["broken", Broken],
      ] as const) {
        const { digest, length, upper, sure } = await Type(id, { value: address });
        await Thing(`of-${id}`, { value: [digest, length, upper, sure] });
      }
    });
    const unknown = "(known after apply)";
    expect(made.stopped).toBeUndefined();
    expect(made.actions.map(({ props }) => props)).toMatchObject([
      {},
      {},
      { value: [unknown, unknown, unknown, 1] },
      {},
      { value: [unknown, unknown, unknown, unknown] },
    ]);
  });

  test("is said of members that were spread, which are not gone", async () => {
    const { plan, Thing, stage } = setUpPlans();
    const Network = newNetwork();
    const program = (zone: string) => async () => {
      const net = await Network("net", { name: "main", zone });
      await Thing("a", { value: { ...net } });
    };
    await stage.up(program("x"));
    const made = await plan(program("y"));
    expect(made.actions[1]).toMatchObject({
      reason: "props.value.address changed",
      changes: [{ path: "/value/address", old: "10.0.0.4", new: "(known after apply)" }],
    });
  });

  test("is what is recorded where nothing changes", async () => {
    const { plan, Thing, stage } = setUpPlans();
    const Network = newNetwork();
    const program = (zone: string) => async () => {
      const net = await Network("net", { name: "main", zone });
      await Thing("a", { value: net.address });
      await Thing("b", { value: net.name });
    };
    await stage.up(program("x"));
    expect((await plan(program("x"))).counts).toMatchObject({ unchanged: 3 });
    const made = await plan(program("y"));
    expect(said(made)).toEqual([
      "replace net: props.zone changed, which forces a replacement",
      "update a: props.value changed",
    ]);
    expect(made.actions.map(({ certain }) => certain)).toEqual([true, false]);
    expect(made.counts.unchanged).toBe(1);
  });

  test("makes a replace uncertain only where it alone is the reason for it", async () => {
    const { plan, Thing, stage } = setUpPlans({ replaceOn: ["name"] });
    const Network = newNetwork();
    const program = (zone: string, value: number) => async () => {
      const { address } = await Network("net", { name: "main", zone });
      await Thing("a", { name: address, value });
      await Thing("b", { uses: address, value });
    };
    await stage.up(program("x", 1));
    const certainty = async (value: number): Promise<string[]> =>
      (await plan(program("y", value))).actions.map(({ action, fqn, certain }) => `${action} ${fqn.at(-1)} ${certain}`);
    expect(await certainty(1)).toEqual(["replace t true", "replace a false", "update b false"]);
    expect(await certainty(2)).toEqual(["replace t true", "replace a false", "update b true"]);
  });

  test("may be spread, awaited, listed in dependsOn and passed on whole", async () => {
    const { plan, Thing } = setUpPlans();
    const made = await plan(async () => {
      const a = await Thing("a");
      await Thing("b", { value: { ...a }, uses: [await a, [a.value]] }, { dependsOn: [a] });
    });
    expect(made.actions.map(({ fqn }) => fqn)).toEqual(["app/dev/a", "app/dev/b"]);
    expect(made.stopped).toBeUndefined();
  });

  test("ends the path of the program that computes with it, and the rest is not said", async () => {
    const { plan, Thing, stage } = setUpPlans();
    await stage.up(() => Thing("old"));
    const made = await plan(async () => {
      const a = await Thing("a");
      await Thing("b", { value: Number(a.value) + 1 });
      await Thing("c");
    });
    expect(said(made)).toEqual(["create a: not recorded"]);
    expect(made.stopped).toMatch(
      /^app\/dev\/a\.value is not known yet, so it cannot be used as a number: at .*unknown\.test\.ts:\d+:\d+\. Pass it on unchanged, or .*`outputs`/,
    );
    expect(made.errors).toEqual([]);
  });

  test("excuses a mistake of the program that follows from it, but not what a run would fail with", async () => {
    const { plan, Thing } = setUpPlans();
    const excused = await plan(async () => {
      const a = await Thing("a");
      if (`${a.value}`.length > 3) throw new TypeError("too long");
    });
    expect(excused.stopped).toBe("too long");
    const failing = plan(async () => {
      await Thing("a");
      await Thing("x/y");
    });
    expect(await failuresOf(failing)).toMatchObject([{ code: "INVALID_NAME" }]);
  });

  test("cannot be the id of a resource", async () => {
    const { plan, Thing } = setUpPlans();
    const made = await plan(async () => {
      const a = await Thing("a");
      await Thing(`b-${a.thing}`);
    });
    expect(made.stopped).toContain('An id "b-(app/dev/a.thing)" depends on a value that is not known yet');
  });

  test("passes through a schema that takes texts, and past one that does not", async () => {
    const { plan, Thing } = setUpPlans();
    interface Props {
      readonly value: unknown;
      readonly extra?: string;
    }
    const validating = (allowed: string) => (given: unknown) => {
      const { value } = Object(given);
      if (typeof value !== allowed) return { issues: [{ message: `no ${allowed}`, path: ["value"] }] };
      return { value: { value, extra: "default" } };
    };
    const types = (allowed: string) => {
      const schema: StandardSchema<Props> = {
        "~standard": { version: 1, vendor: "test", validate: validating(allowed) },
      };
      return Resource<{ ok: boolean }, Props, Props>(newKind(), { create: () => ({ ok: true }), schema });
    };
    const [Text, Count] = [types("string"), types("number")];
    const made = await plan(async () => {
      const { value } = await Thing("a");
      await Text("text", { value });
      await Count("count", { value });
    });
    expect(made.actions.slice(1).map(({ props }) => props)).toEqual([
      { value: "(known after apply)", extra: "default" },
      { value: "(known after apply)" },
    ]);
  });

  test("is not read, because its place is unknown", async () => {
    const { plan, Thing, stage, world } = setUpPlans();
    const Seen = world.type({ verify: true });
    const program = (value: number) => async () => {
      const { thing } = await Thing("a", { value });
      await Seen("b", { value: thing });
    };
    await stage.up(program(1));
    world.news();
    const made = await plan(program(2));
    expect(said(made)).toEqual(["update a: props.value changed", "update b: props.value changed"]);
    expect(made.actions[1]?.certain).toBe(false);
    expect(world.calls).toEqual([]);
  });

  test("is found by the way of a resource that was not awaited", async () => {
    const { plan, Thing } = setUpPlans();
    const made = await plan(async () => {
      const a = Thing("a");
      await Thing("b", { uses: a, value: a.then(({ value }) => value) });
    });
    expect(made.actions[1]?.props).toEqual({ uses: "(known after apply)", value: "(known after apply)" });
  });
});
