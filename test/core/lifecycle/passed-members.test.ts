import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

interface Output {
  readonly id: string;
  readonly name: string;
  readonly port: number;
  readonly zones: readonly { readonly zone: string }[];
  readonly short: string;
}

/** A type with outputs like those of providers. */
function setUp(refersByMember = true) {
  let made = 0;
  const Net = Resource<Output, { readonly name: string }>(newKind(), {
    refersByMember,
    create: ({ props }) => ({
      id: `net-${++made}00`,
      name: props.name,
      port: 5432,
      zones: [{ zone: "eu-1" }],
      short: "eu",
    }),
    update: ({ output }) => output,
    delete: () => {},
  });
  const Host = Resource<object, Readonly<Record<string, unknown>>>(newKind(), {
    create: () => ({}),
    update: () => ({}),
    delete: () => {},
  });
  return { Net, Host, stage: new Stage() };
}

/** Keys of the resources that "host" refers to. */
async function refersTo(props: (net: Output) => Readonly<Record<string, unknown>>, refersByMember = true) {
  const { Net, Host, stage } = setUp(refersByMember);
  const app = await stage.up(async () => {
    const net = await Net("net", { name: "main" });
    await Net("other", { name: "main" });
    await Host("host", props(net));
  });
  const refs = recordOf(app, "host")?.refs ?? [];
  return ["net", "other"].filter((key) => refs.includes(recordOf(app, key)?.uid ?? ""));
}

const PASSED_ON: readonly [string, (net: Output) => Readonly<Record<string, unknown>>][] = [
  ["a text", ({ id }) => ({ net: id })],
  ["a text that the program gave itself", ({ name }) => ({ deep: [{ name }] })],
  ["a text in a template that holds nothing else", ({ id }) => ({ net: `${id}` })],
  ["a number", ({ port }) => ({ port })],
  ["an object", ({ zones }) => ({ zones })],
  ["a text inside of it", ({ zones }) => ({ zone: zones[0]?.zone })],
  ["a text that a promise gives", (net) => ({ net: Promise.resolve().then(() => net.id) })],
  ["all that is spread", (net) => ({ ...net })],
];

/**
 * Ids of the resources that "host" refers to and a plan changes.
 * @param known members of an output that the plan knows
 */
async function changingIn(
  props: (net: Output) => Readonly<Record<string, unknown>>,
  known?: (name: string) => Partial<Output>,
  refersByMember = true,
): Promise<readonly string[]> {
  const seen: string[] = [];
  const Net = Resource<Output, { readonly name: string }>(newKind(), {
    refersByMember,
    create: () => ({ id: "", name: "", port: 0, zones: [], short: "" }),
    ...(known && { outputs: ({ props: { name } }) => known(name) }),
  });
  const Host = Resource<object, Readonly<Record<string, unknown>>>(newKind(), {
    create: () => ({}),
    plan: ({ changing }) => {
      seen.push(...changing.map(({ id }) => id));
      return {};
    },
  });
  const stage = new Stage();
  await stage.plan(async () => {
    const net = await Net("net", { name: "main" });
    await Net("other", { name: "main" });
    await Host("host", props(net));
  });
  return seen;
}

describe("a member of an output that the program passes on", () => {
  test.each(PASSED_ON)("is a reference, if its type says so: %s", async (_what, props) => {
    expect(await refersTo(props)).toEqual(["net"]);
  });

  test.each(PASSED_ON)("is the same reference in a plan that does not know all of it: %s", async (_what, props) => {
    expect(await changingIn(props)).toEqual(["net"]);
    expect(await changingIn(props, (name) => ({ name }))).toEqual(["net"]);
    const zones = [{ zone: "eu-1" }];
    expect(await changingIn(props, (name) => ({ name, id: "net-100", port: 5432, zones }))).toEqual(["net"]);
    expect(await changingIn(props, undefined, false)).toEqual([]);
  });

  test("is one to each of the resources whose outputs have it, as far as the program has read them", async () => {
    const { Net, Host, stage } = setUp();
    await stage.up(async () => {
      const [one, other] = [await Net("one", { name: "main" }), await Net("other", { name: "main" })];
      await Host("host", { name: [one.name, other.name][0] });
    });
    const uids = ["one", "other"].map((id) => stage.record(id)?.uid);
    expect(stage.record("host")?.refs).toEqual(uids.sort());
  });

  test("is none for other types, nor if it is short, or the program has not read it", async () => {
    expect(await refersTo(({ id }) => ({ net: id }), false)).toEqual([]);
    expect(await refersTo(({ short }) => ({ short }))).toEqual([]);
    expect(await refersTo(() => ({ net: "net-100" }))).toEqual([]);
  });

  test("is a reference of an unchanged resource from the next run on, which writes that once", async () => {
    const { Net, Host, stage } = setUp();
    const program = async () => {
      const { id } = await Net("net", { name: "main" });
      await Host("host", { net: id });
    };
    const app = await stage.up(program);
    expect(recordOf(app, "host")?.refs).toEqual([recordOf(app, "net")?.uid]);
    await stage.up(program);
    expect(stage.heard("state:committed")).toEqual([]);
  });

  test("keeps a resource from being destroyed by itself", async () => {
    const { Net, Host, stage } = setUp();
    const [failure] = await stage.failures(async () => {
      const net = await Net("net", { name: "main" });
      await Host("host", { net: net.id });
      await stage.engine.destroy(net);
    });
    expect(failure).toMatchObject({ code: "DEPENDENTS_LEFT_OUT" });
  });
});

test("an output whose members are noted is printed, copied, compared and recorded as a plain object is", async () => {
  const { Net, Host, stage } = setUp();
  const plain = { id: "net-100", name: "main", port: 5432, zones: [{ zone: "eu-1" }], short: "eu" };
  const app = await stage.up(async () => {
    const net = await Net("net", { name: "main" });
    expect(net).toEqual(plain);
    expect(inspect(net)).toBe(inspect(plain));
    expect([structuredClone(net), { ...net }, JSON.parse(JSON.stringify(net))]).toEqual([plain, plain, plain]);
    await Host("host", { net });
  });
  expect(recordOf(app, "host")?.props).toEqual({ net: plain });
});
