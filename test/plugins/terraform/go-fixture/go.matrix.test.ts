/** A provider made with the libraries of real providers: go-plugin, cty, hclog. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CtyValue, Dynamic, Unknown } from "../../../../plugins/terraform/cty/index.js";
import { type LogLevel, launchProvider, type ProviderClient } from "../../../../plugins/terraform/protocol/index.js";
import { impliedType } from "../../../../plugins/terraform/schema/index.js";
import { until } from "../../../helpers/time/until.js";
import { describeUnless, given } from "../../../servers/given.ts";
import { builtInGo } from "./built.ts";

let client: ProviderClient;
const log: { readonly level: LogLevel; readonly text: string }[] = [];

describeUnless(await given("go"), "a provider in Go", () => {
  const launch = builtInGo();
  beforeAll(async () => {
    client = await launchProvider({ ...launch(), log: (level, text) => log.push({ level, text }) });
  });
  afterAll(() => client?.close());

  const props: Readonly<Record<string, CtyValue>> = {
    name: "é\n\u{1f600}",
    size: 12345678901234567890123n,
    tags: { b: "2", a: "1" },
    words: ["y", "x"],
    any: new Dynamic(["tuple", ["number", "string"]], [0.1, "z"]),
    secret: null,
    id: null,
    seen: null,
  };

  const plan = async (config: CtyValue) => {
    const { resources } = await client.schema();
    const schema = resources.go_thing;
    if (!schema) throw new Error("There is no go_thing.");
    const type = impliedType(schema.block);
    const asked = { typeName: "go_thing", type, prior: null, config };
    const planned = await client.plan({ ...asked, proposed: config, priorPrivate: new Uint8Array() });
    return { asked, planned };
  };

  test("takes our values as cty has them, and its own come back as they were", async () => {
    const { asked, planned } = await plan(props);
    expect(planned.planned).toMatchObject({ id: expect.any(Unknown), seen: expect.any(Unknown) });
    const { plannedPrivate } = planned;
    const { value } = await client.apply({ ...asked, planned: planned.planned, plannedPrivate });
    const { words, seen, ...rest } = Object(value);
    const { words: _words, seen: _seen, ...expected } = props;
    expect(rest).toEqual({ ...expected, id: "go-1" });
    expect([...words].sort()).toEqual(["x", "y"]);
    for (const text of [
      "cty.NumberIntVal(1.2345678901234567890123e+22)",
      'cty.TupleVal([]cty.Value{cty.NumberFloatVal(0.1), cty.StringVal("z")})',
      'cty.SetVal([]cty.Value{cty.StringVal("x"), cty.StringVal("y")})',
      'cty.StringVal("é\\n😀")',
    ])
      expect(seen).toContain(text);
  });

  test("takes what is not known for that, in what is known", async () => {
    const { planned } = await plan({ ...props, name: new Unknown(), tags: { a: new Unknown() } });
    expect(planned.planned).toMatchObject({
      name: expect.any(Unknown),
      tags: { a: expect.any(Unknown) },
      size: props.size,
    });
    // Its log takes another way than its answer.
    const line = await until(() => log.find(({ text }) => text.includes("plans") && text.includes("known=false")));
    expect(line).toMatchObject({ level: "debug" });
  });

  test("is spoken to by TLS in which it knows us, and we know it", async () => {
    const applied = await until(() => log.find(({ text }) => /^go-fixture: applies .*\btls=true\b/.test(text)));
    expect(applied).toMatchObject({ level: "info" });
    expect(log.find((line) => line.text.includes("applies"))?.text).toMatch(/certificates=1.*private=private/);
  });
});
