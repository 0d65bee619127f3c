/** Programs that `engine import` writes: their names and references, as a person would choose them. */
import { describe, expect, test } from "vitest";
import { Sensitive } from "../../../plugins/import/contract.js";
import { printProgram } from "../../../plugins/import/print/print-program.js";
import { programOf } from "../../../plugins/import/program/build.js";
import type { SettledProject, SettledResource } from "../../../plugins/import/program/settled.js";

type Given = Partial<Omit<SettledResource, "offers" | "call">> &
  Pick<SettledResource, "address"> & { readonly offers?: Readonly<Record<string, unknown>>; readonly isData?: boolean };

/** E.g. `module.net["eu"].vpc.main`, `data.vpc.main`. */
function resource({ address, offers = {}, isData = false, ...given }: Given): SettledResource {
  const scope = [...address.matchAll(/module\.(\w+)(?:\["(\w+)"\])?\./g)].map(([, name = "", key]) => ({
    name,
    ...(key === undefined ? {} : { key }),
  }));
  const [kindName = "", name = ""] = address.split(".").slice(-2);
  return {
    address,
    scope,
    name,
    kindName,
    call: { by: "provider", provider: "acme", member: kindName, isData },
    props: {},
    dependencies: [],
    options: {},
    ...given,
    offers: new Map(Object.entries(offers)),
  };
}

function made(resources: readonly SettledResource[], outputs: SettledProject["outputs"] = []) {
  const acme = { id: "acme", isNamed: false, module: "./providers/acme.js", functionName: "acme", typeName: "Acme" };
  return programOf({ app: "shop", providers: [{ ...acme, config: {}, show: [] }], resources, outputs });
}

function printed(...given: Parameters<typeof made>): string {
  return [...printProgram(made(...given), "A test.").files.values()].join("\n");
}

const output = (name: string, value: unknown) => ({ name, value, isSensitive: false });

describe("a secret that is also an output", () => {
  const [owner, other] = ["owner", "app"].map((name) =>
    resource({ address: `role.${name}`, props: { secret: new Sensitive("hush-hush") } }),
  ) as [SettledResource, SettledResource];
  const secret = { name: "dbPassword", value: "hush-hush", isSensitive: true };

  test.each([
    ["in one order", [owner, other]],
    ["in another order", [other, owner]],
  ])("has a variable named after the output, %s of its resources", (_, resources) => {
    const { variables } = made(resources, [secret]);
    const usedBy = ["output.dbPassword", ...resources.map(({ address }) => address)];
    expect([...variables]).toEqual([["DB_PASSWORD", { value: "hush-hush", usedBy }]]);
  });

  test("has the variable of its resource if the output is a member of another resource", () => {
    const source = resource({ address: "password.db", offers: { result: new Sensitive("hush-hush") } });
    expect([...made([source, owner], [secret]).variables.keys()]).toEqual(["OWNER_SECRET"]);
  });
});

describe("names", () => {
  test("of a variable that a word of the program would hide have the kind, and no number", () => {
    const code = printed(
      [resource({ address: "file.index", offers: { path: "out/index.html" } })],
      [output("path", "out/index.html")],
    );
    expect(code).toContain('const indexFile = await acme.file("index")');
    expect(code).toContain("path: indexFile.path");
  });

  test("that are only words of types are names like others", () => {
    const all = ["secret", "type", "object"].map((name) =>
      resource({ address: `login.${name}`, offers: { id: `id-of-${name}` } }),
    );
    const code = printed(
      all,
      all.map(({ name }) => output(name, `id-of-${name}`)),
    );
    for (const name of ["secret", "type", "object"]) expect(code).toContain(`const ${name} = await`);
  });

  test("of parameters say whose they are if several have one name", () => {
    const instance = (key: string, at: number) =>
      ["web", "db"].map((name) =>
        resource({ address: `module.app["${key}"].server.${name}`, props: { size: at, secret: `s-${name}-${at}` } }),
      );
    const code = printed([...instance("eu", 1), ...instance("us", 2)]);
    expect(code).toContain('appModule({ acme, size: 1, webSecret: "s-web-1", dbSecret: "s-db-1" })');
  });

  test("of a parameter and of a resource with the same name differ by the kind", () => {
    const instance = (key: string, at: number) => [
      resource({ address: `module.app["${key}"].server.one`, props: { db: `db-${at}` } }),
      resource({ address: `module.app["${key}"].database.db`, offers: { id: `made-${at}` } }),
      resource({
        address: `module.app["${key}"].server.two`,
        props: { of: `made-${at}` },
        dependencies: [`module.app["${key}"].database.db`],
      }),
    ];
    const code = printed([...instance("eu", 1), ...instance("us", 2)]);
    expect(code).toContain('const dbDatabase = await acme.database("db");');
    expect(code).not.toMatch(/\w\d+ =/);
  });

  test("of the functions of two modules with one name have the name of the module around them", () => {
    const code = printed(
      ["a", "b"].map((around) =>
        resource({ address: `module.${around}.module.db.server.one`, props: { name: around } }),
      ),
    );
    expect(code).toContain("async function aDbModule(");
    expect(code).toContain("async function bDbModule(");
  });

  test("of a resource and a data source of one kind say which is the data source", () => {
    const code = printed([
      resource({ address: "data.vpc.web", isData: true }),
      resource({ address: "vpc.web" }),
      resource({ address: "subnet.web" }),
    ]);
    expect(code).toContain('acme.vpc("vpc-web")');
    expect(code).toContain('acme.data.vpc("vpc-web-data")');
  });
});

describe("references", () => {
  const vpc = resource({ address: "vpc.net", offers: { id: "vpc-0a1b2c" } });
  const bucket = resource({ address: "bucket.logs", offers: { arn: "arn:acme:bucket:logs-77" } });

  test("stand in longer texts of props and outputs, also several in one text", () => {
    const both = "vpc-0a1b2c:arn:acme:bucket:logs-77/*";
    const code = printed(
      [vpc, bucket, resource({ address: "policy.p", props: { of: both }, dependencies: ["vpc.net", "bucket.logs"] })],
      [output("path", both), output("other", "x/vpc-0a1b2cd/y")],
    );
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(code).toContain("of: `${net.id}:${logs.arn}/*`");
    expect(code).toContain("path: `${net.id}:${logs.arn}/*`");
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(code).toContain('other: "x/vpc-0a1b2cd/y"');
  });

  test("stand in documents, and in texts with an output of many instances", () => {
    const many = Array.from({ length: 400 }, (_one, at) =>
      resource({
        address: `vpc.all["k${at}"]`,
        name: "all",
        kindName: "vpc",
        key: `k${at}`,
        offers: { id: `vpc-id-${at}` },
      }),
    );
    const document = JSON.stringify({ padding: "y z ".repeat(400), of: "arn:acme:bucket:logs-77/*" });
    const code = printed([
      ...many,
      bucket,
      resource({ address: "policy.p", props: { document }, dependencies: ["bucket.logs"] }),
      resource({ address: "policy.q", props: { path: "net/vpc-id-399/x" }, dependencies: ["vpc.all"] }),
    ]);
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(code).toContain("${logs.arn}/*");
    expect(code).toContain('`net/${alls["k399"]!.id}/x`');
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is code of the program
  });

  test("in texts of outputs are left out if the value is short, or if several resources have it", () => {
    const code = printed(
      [
        resource({ address: "vpc.a", offers: { name: "main" } }),
        resource({ address: "vpc.b", offers: { zone: "zone-1234567" } }),
        resource({ address: "vpc.c", offers: { zone: "zone-1234567" } }),
      ],
      [output("short", "the main one"), output("both", "in zone-1234567 only")],
    );
    expect(code).toContain('short: "the main one"');
    expect(code).toContain('both: "in zone-1234567 only"');
  });

  test("name the resource, unless the state says that the data source is a dependency", () => {
    const data = resource({ address: "data.vpc.found", isData: true, offers: { id: "vpc-0a1b2c" } });
    const of = (address: string, dependencies: readonly string[]) =>
      resource({ address, props: { vpc: "vpc-0a1b2c" }, dependencies });
    const code = printed(
      [data, vpc, of("subnet.one", ["data.vpc.found", "vpc.net"]), of("subnet.two", ["vpc.net"])],
      [output("vpc", "vpc-0a1b2c")],
    );
    expect(code).toContain('acme.subnet("one", { vpc: found.id })');
    expect(code).toContain('acme.subnet("two", { vpc: net.id })');
    expect(code).toContain("app.outputs({ vpc: net.id })");
  });

  test("name the resource that a value comes from, not one that was only given it", () => {
    const subnet = resource({
      address: "subnet.a",
      props: { vpcId: "vpc-0a1b2c" },
      offers: { vpcId: "vpc-0a1b2c", id: "subnet-1" },
      dependencies: ["vpc.net"],
    });
    const server = resource({
      address: "server.s",
      props: { vpc: "vpc-0a1b2c", subnet: "subnet-1" },
      dependencies: ["subnet.a", "vpc.net"],
    });
    expect(printed([subnet, vpc, server])).toContain('acme.server("s", { vpc: net.id, subnet: a.id })');
  });

  test("of data sources stand in longer texts, so that a data source follows the resource that it looks up", () => {
    const data = resource({ address: "data.policy.p", isData: true, props: { of: "arn:acme:bucket:logs-77/*" } });
    const code = printed([data, bucket]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(code).toContain("of: `${logs.arn}/*`");
  });
});
