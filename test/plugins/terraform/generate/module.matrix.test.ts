import { describe, expect, test } from "vitest";
import { generateModule } from "../../../../plugins/terraform/generate/index.js";
import { compile } from "./compiled.ts";
import { all } from "./postgresql.ts";
import { attribute, blocks, providerSchema, schemaOf } from "./schemas.ts";

const nothing = { ...all, type: "x", resources: [], dataSources: [], ephemeral: [], functions: [] };

/** Each line has an error; all other lines are correct. */
const WRONG = [
  'pg.role("a", { name: "a", grant: [], nope: 1 });',
  'pg.role("a", { grant: [] });',
  'pg.role("a", { name: "a" });',
  'pg.role("a");',
  'pg.role("a", { name: 1, grant: [] });',
  'pg.role("a", { name: "a", id: "b", grant: [] });',
  'pg.role("a", { name: new Secret(1), grant: [] });',
  'pg.role("a", { name: "a", login: new Secret("a"), grant: [] });',
  'pg.role("a", { name: "a", grant: [{ onTable: "t", madeAt: "now" }] });',
  'pg.role("a", { name: "a", grant: { on_table: "t" } });',
  'pg.role("a", { name: "a", connection_limit: 1, grant: [] });',
  'postgresql({ host: "h", sslmode: "prefer" });',
  'postgresql({ host: "h" }, { show: ["nope"] });',
  "postgresql({});",
  "postgresql();",
  'pg.leftOut("a", {});',
  "(await role).passwordWo;",
  "const limit: string = (await role).connectionLimit;",
  "const login: boolean = (await role).login;",
  "const password: string | undefined = (await role).password;",
  'pg.data.schemas("a", { database: "d", schemas: [] });',
  "pg.functions.quoteIdent();",
];

describe("a generated module", () => {
  const text = generateModule(all);

  test("refuses props that are wrong or missing, and outputs that are not there", async () => {
    const head =
      'import { Secret } from "scope-engine";\nimport { postgresql } from "./postgresql.js";\nconst pg = postgresql({ host: "h" });\nconst role = pg.role("r", { name: "a", grant: [{ onTable: "t" }] });\n';
    const lines = WRONG.map((line) => `{ ${line} }`).join("\n");
    const { errors, stdout } = await compile({
      "postgresql.ts": text,
      "program.ts": `${head}${lines}\nconsole.log(Secret);\n`,
    });
    const wrong = [...new Set(errors.filter((one) => !one.endsWith("TS6133")).map((one) => one.split(" ")[0]))];
    expect(wrong, stdout).toEqual(WRONG.map((_, at) => `program.ts:${at + 5}`));
  });

  test.each([
    ["no attributes", {}],
    ["optional attributes alone", { a: attribute("string", "optional"), b: attribute("number", "optional") }],
    ["computed attributes alone", { a: attribute("string", "computed") }],
  ])("refuses a prop that is not there where there are %s", async (_what, attributes) => {
    const of = schemaOf({ attributes, blocks: { inner: blocks("single", 0, { attributes }) } });
    const schema = providerSchema({ provider: of, resources: { x_box: of }, dataSources: { x_box: of } });
    const module = generateModule({ ...nothing, schema, resources: ["box"], dataSources: ["box"] });
    const right = ["x();", "x({});", 'x().box("a");', 'x().box("a", { inner: {} });', 'x({}, { id: "b" });'];
    const wrong = [
      "x({ bogus: 1 });",
      'x().box("a", { bogus: 1 });',
      'x().box("a", { inner: { bogus: 1 } });',
      'x().data.box("a", { bogus: 1 });',
    ];
    const program = ['import { x } from "./x.js";', ...right, ...wrong].join("\n");
    const { errors, stdout } = await compile({ "x.ts": module, "program.ts": program });
    const lines = [...new Set(errors.map((one) => one.split(" ")[0]))];
    expect(lines, stdout).toEqual(wrong.map((_, at) => `program.ts:${at + right.length + 2}`));
  });

  test("lets attributes be left out that are called as JavaScript calls members of its own", async () => {
    const owned = ["to_string", "constructor", "has_own_property", "value_of", "__proto__", "then"];
    const attributes = Object.fromEntries(owned.map((name) => [name, attribute("string", "optional")]));
    const named = { ...attributes, name: attribute("string", "required") };
    const of = schemaOf({ attributes: named, blocks: { inner: blocks("list", 0, { attributes: named }) } });
    const schema = providerSchema({ provider: of, resources: { x_box: of, x_constructor: of } });
    const module = generateModule({ ...nothing, schema, resources: ["box", "constructor_"] });
    const program = `import { x } from "./x.js";
const { box, constructor_ } = x({ name: "a" });
const made = await box("a", { name: "a", inner: [{ name: "b", toString_: "c" }] });
const text: string | undefined = made.valueOf_;
constructor_("b", { name: "a", constructor_: text });
`;
    const { errors, stdout } = await compile({ "x.ts": module, "program.ts": program });
    expect(errors, stdout).toEqual([]);
  });

  test("has names that other selections do not change, imports what it uses, and no shape twice", async () => {
    const attributes = { name: attribute("string", "optional", { description: "A Secret of ResourceOptions." }) };
    const twice = blocks("list", 0, { attributes: { b: attribute("string", "required") } });
    const schema = providerSchema({
      resources: {
        x_box: schemaOf({ attributes, blocks: { lid: twice, zone: blocks("list", 0, { blocks: { lid: twice } }) } }),
        x_box_lid: schemaOf({ attributes }),
      },
    });
    const text = generateModule({ ...nothing, schema, resources: ["box", "boxLid"] });
    expect(text).toContain('import type { Input, PendingResource, Secret } from "scope-engine";');
    expect(text).toContain("boxLid(id: string, props?: Input<BoxLidProps>,");
    const names = [...text.matchAll(/interface (\w+)/g)].map(([, name]) => name);
    const box = ["BoxLidProps2", "BoxZoneProps", "BoxProps", "BoxLidOutput2", "BoxZoneOutput", "BoxOutput"];
    expect(names).toEqual(["XConfig", ...box, "BoxLidProps", "BoxLidOutput", "X"]);
    const { errors, stdout } = await compile({ "x.ts": text });
    expect(errors, stdout).toEqual([]);
  });
});
