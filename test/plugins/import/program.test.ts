/** Programs that `engine import` writes: their names, as a person would choose them. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of the program
import { describe, expect, test } from "vitest";
import { Sensitive } from "../../../plugins/import/contract.js";
import { loopBreakers } from "../../../plugins/import/print/loop-breakers.js";
import type { SettledResource } from "../../../plugins/import/program/settled.js";
import { made, output, printed, resource } from "./made-program.ts";
import { checkFormat } from "./tofu-project.ts";

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

  test.each([
    ["in one order", ["a/b", "a_b", "a b"]],
    ["in another order", ["a b", "a_b", "a/b"]],
  ])("of keys that differ only in signs have a number, %s", (_, keys) => {
    const all = keys.map((key) => {
      return resource({ address: `thing.web["${key}"]`, name: "web", kindName: "thing", key, props: { of: key } });
    });
    const zones = keys.map((key) => {
      return resource({ address: `module.net["${key}"].zone.z`, scope: [{ name: "net", key }], props: { of: key } });
    });
    const code = printed([...all, ...zones]);
    for (const [key, own] of [
      ["a_b", "a_b"],
      ["a b", "a_b-2"],
      ["a/b", "a_b-3"],
    ]) {
      expect(code).toMatch(new RegExp(`"web-${own}"[^}]+${key}"`));
      expect(code).toMatch(new RegExp(`"net-${own}"[^}]+${key}"`));
    }
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

describe("instances that differ by a number", () => {
  const nodes = (count: number, props: (index: number) => Readonly<Record<string, unknown>>) =>
    Array.from({ length: count }, (_, key) => {
      return resource({ address: `node.web[${key}]`, name: "web", kindName: "node", key, props: props(key) });
    });
  const padded = (index: number, width: number): string => String(index).padStart(width, "0");

  test.each([
    [
      "with leading zeros",
      12,
      (at: number) => `web-${padded(at + 1, 2)}`,
      '`web-${String(index + 1).padStart(2, "0")}`',
    ],
    ["with three digits", 4, (at: number) => `${padded(at, 3)}`, 'String(index).padStart(3, "0")'],
    ["from 10 on", 3, (at: number) => `10.0.${at + 10}.0/24`, "`10.0.${index + 10}.0/24`"],
    ["in steps", 3, (at: number) => `10.0.${at * 16}.0/20`, "`10.0.${index * 16}.0/20`"],
    [
      "at two places",
      11,
      (at: number) => `web-${padded(at + 1, 2)}.${at}.com`,
      '`web-${String(index + 1).padStart(2, "0")}.${index}.com`',
    ],
    ["as a number", 3, (at: number) => at * 10 + 100, "index * 10 + 100"],
    ["after other digits", 2, (at: number) => `port ${at + 8080}`, "`port ${index + 8080}`"],
  ])("%s become a loop", (_, count, value, code) => {
    const program = printed(nodes(count, (at) => ({ value: value(at) })));
    expect(program).toContain(`for (let index = 0; index < ${count}; index++) {`);
    expect(program).toContain(`value: ${code}`);
  });

  test.each([
    ["two numbers far apart", ["10", "20"]],
    ["numbers without a rule", ["1", "2", "4"]],
    ["zeros of several lengths", ["01", "002", "03"]],
    ["words", ["one", "two"]],
  ])("are declared one by one if they are %s", (_, all) => {
    const program = printed(nodes(all.length, (at) => ({ value: all[at] })));
    expect(program).not.toContain("for (");
    for (const one of all) expect(program).toContain(`{ value: "${one}" }`);
  });

  test("and by the key of their module become a loop in one function", () => {
    const program = printed(
      ["eu", "us"].flatMap((region) =>
        [0, 1].map((key) =>
          resource({
            address: `module.net["${region}"].node.web[${key}]`,
            name: "web",
            kindName: "node",
            scope: [{ name: "net", key: region }],
            key,
            props: { name: `${region}-web-${padded(key + 1, 2)}-${region}` },
          }),
        ),
      ),
    );
    expect(program).toContain('name: `${instance}-web-${String(index + 1).padStart(2, "0")}-${instance}`');
  });

  const named = (names: readonly string[], props: (at: number) => Readonly<Record<string, unknown>>) =>
    names.map((name, at) => resource({ address: `node.${name}`, props: props(at), offers: { id: `made-${at}` } }));

  test("in their names become a loop, also without keys", () => {
    const all = named(["web-08", "web-09", "web-10"], (at) => ({ name: `web-${padded(at + 8, 2)}`, size: 4 }));
    const program = printed([...all, resource({ address: "alarm.web-11", props: { size: 4 } })]);
    expect(program).toContain("for (let index = 0; index < 3; index++) {");
    expect(program).toContain('await acme.node(`web-${String(index + 8).padStart(2, "0")}`, {');
    expect(program).toContain('await acme.alarm("web-11", { size: 4 });');
  });

  test("in their names are a list of the same name for others", () => {
    const user = resource({ address: "alarm.one", props: { of: "made-1" }, dependencies: ["node.web-2"] });
    const program = printed([...named(["web-1", "web-2"], () => ({ size: 4 })), user]);
    expect(program).toContain("const webs = await Promise.all(");
    expect(program).toContain("[0, 1].map((index) => acme.node(`web-${index + 1}`, { size: 4 })),");
    expect(program).toContain('await acme.alarm("one", { of: webs[1]!.id });');
  });

  test("are mapped where a value has the same member of all of them", () => {
    const nodes = Array.from({ length: 3 }, (_, key) => {
      const of = { name: "web", kindName: "node", key, offers: { id: `made-${key}` } };
      return resource({ address: `node.web[${key}]`, props: { size: 4 }, ...of });
    });
    const ids = ["made-0", "made-1", "made-2"];
    const program = printed(nodes, [
      output("all", ids),
      output("two", ids.slice(1)),
      output("turned", ids.toReversed()),
    ]);
    expect(program).toContain("all: webs.map((one) => one.id),");
    expect(program).toContain("two: [webs[1]!.id, webs[2]!.id],");
    expect(program).toContain("turned: [webs[2]!.id, webs[1]!.id, webs[0]!.id],");
  });

  test.each([3, 20, 27, 28, 29, 30, 31, 40, 60])(
    "are mapped in formatted lines for a name of %d letters",
    async (length) => {
      const nodes = [0, 1].map((key) => {
        const of = { name: "w".repeat(25), kindName: "node", key, offers: { id: `made-${key}` } };
        return resource({ address: `node.${of.name}[${key}]`, ...of });
      });
      await checkFormat(printed(nodes, [output("a".repeat(length), ["made-0", "made-1"])]));
    },
  );

  test.each([
    ["differ by more", ["web-1", "web-2"], (at: number) => ({ size: [7, 3][at] })],
    ["are not consecutive", ["web-1", "web-3"], () => ({ size: 4 })],
  ])("in their names are declared one by one if they %s", (_, names, props) => {
    const program = printed(named(names, props));
    for (const name of names) expect(program).toContain(`acme.node("${name}", {`);
  });

  test.each([
    ["by a value", (at: number) => ({ of: at === 0 ? "none" : `made-${at - 1}` })],
    ["without a value", () => ({ size: 4 })],
  ])("in their names are declared one by one if they need each other %s", (_, props) => {
    const names = ["web-1", "web-2", "web-3"];
    const all = named(names, props).map((one, at) => ({ ...one, dependencies: at === 0 ? [] : [`node.web-${at}`] }));
    const program = printed(all);
    for (const name of names) expect(program).toContain(`acme.node("${name}", {`);
  });
});

describe("props that a provider could choose leave a loop as it is", () => {
  const breakers = (values: readonly string[]) =>
    loopBreakers(
      made(
        values.map((zone, key) => {
          return resource({
            address: `node.web[${key}]`,
            name: "web",
            key,
            props: { zone },
            chosen: new Set(["zone"]),
          });
        }),
      ),
    ).flatMap(({ names }) => names);

  test.each([
    ["the same", ["eu", "eu", "eu"]],
    ["counted from 0", ["z-0", "z-1", "z-2"]],
    ["counted from 1", ["z-1", "z-2", "z-3"]],
  ])("if they are %s", (_, values) => {
    expect(breakers(values)).toEqual([]);
  });

  test.each([
    ["without a rule", ["eu", "us", "eu"]],
    ["counted by the provider", ["z-4", "z-5", "z-6"]],
    ["counted in steps", ["z-2", "z-4", "z-6"]],
  ])("unless they are %s", (_, values) => {
    expect(breakers(values)).toEqual(["zone"]);
  });
});
