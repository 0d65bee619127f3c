/** Arbitrary programs in sequence, with secrets anywhere in their values; some of them fail half-way. */
import { expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { isSecret, Secret } from "../../../plugins/secrets/secret.js";
import { secretStage, textIn } from "../../helpers/apps/secret-stage.ts";
import { recordsOf } from "../../helpers/apps/stage.ts";
import { lost, World } from "../../helpers/apps/world.ts";
import { cases, fc } from "../../helpers/checks/generated.ts";

const IDS = ["a", "b", "c", "d"] as const;
type Id = (typeof IDS)[number];

/** Blueprint of a value: each program creates new secrets and references from it. */
type Seed =
  | string
  | { readonly secret: Seed }
  | { readonly list: readonly Seed[] }
  | { readonly members: Readonly<Record<string, Seed>> }
  | { readonly map: readonly Seed[] }
  | { readonly ref: Id };

interface Step {
  readonly things: Readonly<Partial<Record<Id, { readonly seed: Seed; readonly name: string; readonly type: number }>>>;
  readonly data: Seed;
  readonly inTenant: readonly Id[];
  readonly fault: { readonly call: string; readonly isAfter: boolean } | undefined;
}

const text = fc.constantFrom("one", "two", "three-four");
const { seed } = fc.letrec<{ seed: Seed }>((tie) => ({
  seed: fc.oneof(
    { maxDepth: 4, depthIdentifier: "seed" },
    text,
    fc.record({ secret: text }),
    fc.record({ ref: fc.constantFrom(...IDS) }),
    fc.record({ secret: tie("seed").filter((one) => !JSON.stringify(one).includes('"ref"')) }),
    fc.record({ list: fc.array(tie("seed"), { maxLength: 3 }) }),
    fc.record({ members: fc.dictionary(fc.constantFrom("x", "y/z", "$t", "0"), tie("seed"), { maxKeys: 3 }) }),
    fc.record({
      map: fc.array(
        tie("seed").filter((one) => !JSON.stringify(one).includes('"ref"')),
        { maxLength: 2 },
      ),
    }),
  ),
}));

const TYPES = [
  {},
  { read: true },
  { idempotent: true },
  { update: false },
  { verify: true },
  { replaceOn: ["name"] as const },
  { read: true, replaceOn: ["name"] as const },
  { short: true },
];

const thing = fc.record({ seed, name: fc.constantFrom("n1", "n2"), type: fc.nat(TYPES.length - 1) });
const fault = fc.record({
  call: fc
    .tuple(fc.constantFrom("create", "update", "delete", "read"), fc.constantFrom(...IDS, "child"))
    .map((parts) => parts.join(" ")),
  isAfter: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.record({
  things: fc.dictionary(fc.constantFrom(...IDS), thing, { maxKeys: 4 }),
  data: seed.filter((one) => !JSON.stringify(one).includes('"ref"')),
  inTenant: fc.subarray([...IDS]),
  fault: fc.option(fault, { nil: undefined }),
});

function madeOf(from: Seed, ref: (id: Id) => unknown): unknown {
  if (typeof from === "string") return from;
  const inner = (one: Seed): unknown => madeOf(one, ref);
  if ("secret" in from) return new Secret(inner(from.secret), "named");
  if ("list" in from) return from.list.map(inner);
  if ("map" in from) return new Map(from.map.map((one, index) => [`key ${index}`, inner(one)]));
  if ("ref" in from) return ref(from.ref);
  return Object.fromEntries(Object.entries(from.members).map(([key, one]) => [key, inner(one)]));
}

/** Plain value with marks for secrets, without the numbers of real objects. */
function shown(value: unknown): unknown {
  if (isSecret(value)) return { secretOf: shown(value.unencrypted) };
  if (Array.isArray(value)) return value.map(shown);
  if (value instanceof Map) return { map: [...value].map(([key, one]) => [key, shown(one)]) };
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([key]) => key !== "thing");
  return Object.fromEntries(members.map(([key, one]) => [key, shown(one)]));
}

function setUp() {
  const world = new World();
  const types = TYPES.map((options) => world.type({ ...options, ...("replaceOn" in options ? options : {}) }));
  const Child = world.type();
  const stage = secretStage();
  const outputs = new Map<string, unknown>();
  const program =
    ({ things, data, inTenant }: Step) =>
    async (app: Scope): Promise<void> => {
      const declared = new Map<Id, PromiseLike<unknown>>();
      const expected = new Map<Id, unknown>();
      outputs.clear();
      const declare = async (id: Id): Promise<void> => {
        const it = things[id];
        if (!it) return;
        const value = madeOf(it.seed, (other) => declared.get(other) ?? "nothing");
        expected.set(
          id,
          madeOf(it.seed, (other) => (declared.has(other) ? { value: expected.get(other) } : "nothing")),
        );
        const pending = types[it.type]?.(id, { value, name: it.name });
        if (pending) declared.set(id, pending);
      };
      for (const id of IDS.filter((one) => !inTenant.includes(one))) await declare(id);
      await stage.engine.run("tenant", { password: "the tenant's own" }, async (scope) => {
        for (const id of inTenant) await declare(id);
        await scope.set(
          "data",
          madeOf(data, () => ""),
        );
      });
      await app.set(
        "data",
        madeOf(data, () => ""),
      );
      const given = await Promise.all([...declared].map(async ([id, one]) => [id, await one] as const));
      for (const [id, output] of given) {
        outputs.set(id, shown(output));
        expect(shown(Reflect.get(Object(output), "value"))).toEqual(shown(expected.get(id)));
      }
      expect(shown(await app.get("data"))).toEqual(shown(madeOf(data, () => "")));
    };
  const nest = (): void => {
    world.on("create a", async ({ props }) => void (await Child("child", { value: Object(props).value })));
    world.on("update a", async ({ props }) => void (await Child("child", { value: Object(props).value })));
  };
  const failAt = ({ call, isAfter }: NonNullable<Step["fault"]>): void => {
    if (isAfter) lost(world, call);
    else world.fails(call);
  };
  return { world, stage, program, outputs, nest, failAt };
}

test("every secret is given back as it was declared last, and an unchanged run calls and writes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const { world, stage, program, outputs, nest, failAt } = setUp();
      for (const one of steps) {
        nest();
        if (one.fault) {
          failAt(one.fault);
          await stage.up(program(one)).catch(() => {});
          world.calm();
          nest();
        }
        await stage.up(program(one));
        const made = new Map(outputs);
        const before = await textIn(stage.store);
        world.news();
        await stage.up(program(one));
        expect(world.news().filter((call) => !call.startsWith("read"))).toEqual([]);
        expect(await textIn(stage.store)).toBe(before);
        expect(new Map(outputs)).toEqual(made);
        await stage.up(program(one), { phase: "read" }).catch((error: unknown) => {
          // Setting data is refused there, after all resources have been read.
          for (const each of Object(error).errors ?? [error]) expect(each).toMatchObject({ code: "READ_ONLY" });
        });
      }
      const end = await stage.up(() => stage.engine.run("tenant", { password: "the tenant's own" }, () => {}));
      expect(recordsOf(end)).toEqual([]);
    }),
    { numRuns: cases(40) },
  );
}, 300_000);
