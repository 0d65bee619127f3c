import { describe, expect, test } from "vitest";
import { functionName, generateModule, schemaIn, writtenModule } from "../../../../plugins/terraform/generate/index.js";
import { compile } from "./compiled.ts";
import { all } from "./postgresql.ts";

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
pg.role("third", {
  name: new Secret("x"),
  roles: [new Secret("x"), "y"],
  searchPath: { a: [new Secret("x")] },
  grant: { onTable: Promise.resolve(new Secret("x")) },
});
postgresql({ host: new Secret("x"), sslmode: new Secret("require") }, { show: ["sslmode"] });
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
pg.functions.quoteIdent(new Secret("x"), null, new Secret("y"));
const schemas: readonly string[] = (await pg.data.schemas("all", { database: owner.name })).schemas;
const secret: Secret = (await pg.ephemeral.token("t")).value;
const quoted: string | undefined = (await pg.functions.quoteIdent("a", null, "b")).quotedName;
console.log(id, limit, login, password, token, madeAt, value, create, used, schemas, secret, quoted);
`;

describe("a generated module", () => {
  const text = generateModule(all);

  test("compiles in strict mode, and takes and gives what the provider does", async () => {
    const { errors, stdout } = await compile({ "postgresql.ts": text, "program.ts": RIGHT });
    expect(errors, stdout).toEqual([]);
  });

  test("has what the provider says of itself as comments, which nothing in them ends", () => {
    expect(text).toContain("  /** A role. Ends no comment: *\\/ */\n  role(id: string");
    expect(text).toContain("  /** Its name. */\n  readonly name: string;");
    expect(text).toContain("  /** @deprecated The provider has deprecated this. */\n  readonly login?: boolean;");
    expect(text).toContain('readonly sslmode?: "disable" | "require" | "verify-full" | Secret;');
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
    expect(generateModule({ ...all, schema: { ...all.schema } })).toBe(text);
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
