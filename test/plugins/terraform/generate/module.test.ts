import { describe, expect, test } from "vitest";
import { schemaIn } from "../../../../plugins/terraform/generate/definition.ts";
import { functionName, generateModule, type ModuleOf } from "../../../../plugins/terraform/generate/module.ts";
import { writtenModule } from "../../../../plugins/terraform/generate/module-header.ts";
import { compile } from "./compiled.ts";
import { attribute, blocks, largeSchema, providerSchema, schemaOf } from "./schemas.ts";

const schema = providerSchema({
  provider: schemaOf({
    attributes: {
      host: attribute("string", "required"),
      password: attribute("string", "optional sensitive"),
      sslmode: attribute("string", "optional", { description: "One of `disable`, `require` or `verify-full`." }),
    },
  }),
  resources: {
    postgresql_role: schemaOf({
      description: "A role. Ends no comment: */",
      attributes: {
        id: attribute("string", "computed"),
        name: attribute("string", "required", { description: "Its name." }),
        login: attribute("bool", "optional", { deprecated: true }),
        password: attribute("string", "optional sensitive"),
        password_wo: attribute("string", "optional writeOnly"),
        connection_limit: attribute("number", "optional computed"),
        roles: attribute(["set", "string"], "optional"),
        search_path: attribute(["map", ["list", "string"]], "optional"),
        settings: attribute(["object", { max_rows: "number", __proto: "bool" }], "optional"),
        _odd: attribute("string", "optional"),
        a_b: attribute("string", "optional"),
        aB: attribute("string", "optional"),
        token: attribute(["list", "string"], "computed sensitive"),
        quota: {
          ...attribute(["list", ["object", { size_gb: "number" }]], "optional"),
          nested: {
            nesting: "list",
            attributes: { size_gb: attribute("number", "required"), used: attribute("number", "computed") },
          },
        },
      },
      blocks: {
        grant: blocks("set", 1, {
          attributes: { on_table: attribute("string", "required"), made_at: attribute("string", "computed") },
        }),
        timeouts: blocks("single", 0, { attributes: { create: attribute("string", "optional") } }),
        label: blocks("map", 0, { attributes: { value: attribute("string", "optional") } }),
      },
    }),
    postgresql_data: schemaOf({ attributes: { id: attribute("string", "computed") } }),
    postgresql_left_out: schemaOf({}),
  },
  dataSources: {
    postgresql_schemas: schemaOf({
      attributes: { database: attribute("string", "required"), schemas: attribute(["list", "string"], "computed") },
    }),
  },
  ephemeral: { postgresql_token: schemaOf({ attributes: { value: attribute("string", "computed sensitive") } }) },
  functions: {
    quote_ident: {
      parameters: [{ name: "ident", type: "string", allowsNull: false, allowsUnknown: false }],
      variadic: { name: "more", type: "string", allowsNull: true, allowsUnknown: false },
      returns: ["object", { quoted_name: "string" }],
      summary: "Quotes.",
    },
  },
});

const all: ModuleOf = {
  source: "registry.opentofu.org/cyrilgdn/postgresql",
  type: "postgresql",
  range: "^1.25.0",
  version: "1.25.0",
  schema,
  resources: ["data_", "role"],
  dataSources: ["schemas"],
  ephemeral: ["token"],
  functions: ["quoteIdent"],
};

const nothing = { ...all, type: "x", resources: [], dataSources: [], ephemeral: [], functions: [] };

const RIGHT = `
import { Secret } from "scope-engine";
import { postgresql } from "./postgresql.js";
const pg = postgresql({ host: "h", password: new Secret("x"), sslmode: "verify-full" }, { id: "second", env: { A: "b", B: new Secret("x") } });
const owner = await pg.role("owner", {
  name: "acme",
  login: Promise.resolve(true),
  password: new Secret("x"),
  passwordWo: "plain",
  roles: [Promise.resolve("a")],
  searchPath: { a: ["b"] },
  settings: { maxRows: 1, __proto: true },
  _odd: "x",
  a_b: "x",
  aB: "x",
  quota: [{ sizeGb: 1 }],
  grant: { onTable: "t" },
  label: { a: { value: "b" } },
  timeouts: { create: "5m" },
}, { protect: true, importId: "acme" });
pg.role("second", { name: owner.name, grant: [{ onTable: "t" }] });
const id: string = owner.id;
const limit: number = owner.connectionLimit;
const login: boolean | undefined = owner.login;
const password: Secret | undefined = owner.password;
const token: Secret<readonly string[]> = owner.token;
const madeAt: string | undefined = owner.grant[0]?.madeAt;
const value: string | undefined = owner.label.a?.value;
const create: string | undefined = owner.timeouts?.create;
const used: number | undefined = owner.quota?.[0]?.used;
pg.data_("without props");
const schemas: readonly string[] = (await pg.data.schemas("all", { database: owner.name })).schemas;
const secret: Secret = (await pg.ephemeral.token("t")).value;
const quoted: string | undefined = (await pg.functions.quoteIdent("a", null, "b")).quotedName;
console.log(id, limit, login, password, token, madeAt, value, create, used, schemas, secret, quoted);
`;

/** Each line has an error, and nothing else has. */
const WRONG = [
  'pg.role("a", { name: "a", grant: [], nope: 1 });',
  'pg.role("a", { grant: [] });',
  'pg.role("a", { name: "a" });',
  'pg.role("a");',
  'pg.role("a", { name: 1, grant: [] });',
  'pg.role("a", { name: "a", id: "b", grant: [] });',
  'pg.role("a", { name: new Secret("a"), grant: [] });',
  'pg.role("a", { name: "a", grant: [{ onTable: "t", madeAt: "now" }] });',
  'pg.role("a", { name: "a", grant: { on_table: "t" } });',
  'pg.role("a", { name: "a", connection_limit: 1, grant: [] });',
  'postgresql({ host: "h", sslmode: "prefer" });',
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

  test("compiles in strict mode, and takes and gives what the provider does", async () => {
    const { errors, stdout } = await compile({ "postgresql.ts": text, "program.ts": RIGHT });
    expect(errors, stdout).toEqual([]);
  });

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

  test("has what the provider says of itself as comments, which nothing in them ends", () => {
    expect(text).toContain("  /** A role. Ends no comment: *\\/ */\n  role(id: string");
    expect(text).toContain("  /** Its name. */\n  readonly name: string;");
    expect(text).toContain(
      "  /** @deprecated The provider wants it not to be used any more. */\n  readonly login?: boolean;",
    );
    expect(text).toContain('readonly sslmode?: "disable" | "require" | "verify-full";');
    expect(text).toContain("    /** Quotes. */\n    quoteIdent(");
  });

  test("tells the next command what it has", () => {
    const { resources, dataSources, ephemeral, functions, source, version } = all;
    expect(writtenModule(text)).toEqual({ resources, dataSources, ephemeral, functions, source, version });
    expect(writtenModule("export {};\n")).toBeUndefined();
    expect(writtenModule("// engine add: {\n")).toBeUndefined();
  });

  test("hands on the schemas of its resources, without descriptions", () => {
    const [, line = ""] = /role: (\{ type: .* \}),\n/.exec(text) ?? [];
    const [, type, schemaText] = /type: "(.*)", schema: '(.*)' \}/.exec(line) ?? [];
    expect(type).toBe("postgresql_role");
    const read = schemaIn({ type: "", schema: schemaText ?? "" });
    expect(read.block.attributes.password).toEqual({ type: "string", optional: true, sensitive: true });
    expect(JSON.stringify(read)).not.toContain("Its name");
    expect(text).not.toContain("left_out");
  });

  test("is the same text each time, whatever order things came in", () => {
    expect(generateModule({ ...all, schema: { ...schema } })).toBe(text);
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
    expect(text).toContain('import type { Input, PendingResource } from "scope-engine";');
    expect(text).toContain("boxLid(id: string, props?: Input<BoxLidProps>,");
    const names = [...text.matchAll(/interface (\w+)/g)].map(([, name]) => name);
    const box = ["BoxLidProps2", "BoxZoneProps", "BoxProps", "BoxZoneOutput", "BoxOutput"];
    expect(names).toEqual(["XConfig", ...box, "BoxLidProps", "BoxLidOutput", "X"]);
    const { errors, stdout } = await compile({ "x.ts": text });
    expect(errors, stdout).toEqual([]);
  });

  test("of a provider that is called like a word of the language, or with a line in it, has a name that is none", () => {
    expect(["null", "google-beta", "1password", "aws", "provider"].map(functionName)).toEqual([
      "null_",
      "googleBeta",
      "_1password",
      "aws",
      "provider_",
    ]);
  });
});

test("a module of all resources of a large provider is made in time", () => {
  const schema = largeSchema(300);
  const began = performance.now();
  const text = generateModule({ ...all, schema, type: "cloud", ...everything(300) });
  expect(text.length).toBeGreaterThan(300_000);
  expect(performance.now() - began).toBeLessThan(20_000);
});

function everything(count: number) {
  const resources = Array.from({ length: count }, (_, at) => `thing${at}`);
  return { resources, dataSources: [], ephemeral: [], functions: [] };
}
