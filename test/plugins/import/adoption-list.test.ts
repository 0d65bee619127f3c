/** Lists of resources to adopt: both forms, scopes, and malformed lists. */
import { expect, test } from "vitest";
import { readAdoptionList } from "../../../plugins/import/adoption-list.js";
import { checkImported } from "../../../plugins/import/check.js";

const read = (text: string) => readAdoptionList(text, { place: "list.csv" });

const EXPECTED = [
  {
    address: "net/aws_vpc.main",
    scope: [{ name: "net" }],
    name: "main",
    type: "aws_vpc",
    provider: { source: "registry.opentofu.org/hashicorp/aws" },
    value: { by: "id", importId: "vpc-1" },
  },
  {
    address: "thing.two, with a comma",
    scope: [],
    provider: { source: "registry.example.com/a/b", alias: "west" },
    value: { by: "id", importId: 'say "hi"\nand more' },
  },
];

test("CSV and NDJSON give the same resources", async () => {
  const csv = await read(
    '\uFEFFkind,name,id,scope,provider\r\nhashicorp/aws:aws_vpc,main,vpc-1,net,\r\n\r\nregistry.example.com/a/b:thing,"two, with a comma","say ""hi""\nand more",,west',
  );
  expect(csv.resources).toMatchObject(EXPECTED);
  expect(csv.scopes).toEqual([{ path: [{ name: "net" }] }]);
  const lines = [
    { kind: "hashicorp/aws:aws_vpc", name: "main", id: "vpc-1", scope: "net" },
    { kind: "registry.example.com/a/b:thing", name: "two, with a comma", id: 'say "hi"\nand more', provider: "west" },
  ];
  expect((await read(lines.map((one) => JSON.stringify(one)).join("\n"))).resources).toMatchObject(EXPECTED);
});

const KIND = "hashicorp/aws:aws_vpc";

test("lines may end with CR alone, and a cell or a line may be long", async () => {
  const { resources, refusals } = await read(`kind,name,id\r${KIND},a,1\r${KIND},"b\r\nc",2\r${KIND},"d""e",3`);
  expect(resources.map(({ name }) => name)).toEqual(["a", 'd"e']);
  expect(refusals).toMatchObject([{ address: "line 3", reason: expect.stringContaining("control character") }]);
  const quotes = `${KIND},a,"${'""'.repeat(9_000)}"`;
  expect((await read(`kind,name,id\n${quotes}`)).resources).toMatchObject([{ value: { importId: '"'.repeat(9_000) } }]);
  const many = Array.from({ length: 100_000 }, (_one, at) => `${KIND},n${at},i${at}`);
  expect((await read(["kind,name,id", ...many].join("\n"))).resources).toHaveLength(100_000);
});

test("blanks around a cell go, and those in quotes stay", async () => {
  const { resources } = await read(`kind, name ,id\n${KIND}, a ," 1 "`);
  expect(resources).toMatchObject([{ name: "a", value: { importId: " 1 " } }]);
});

test.each([
  ["is empty", "", /no first line.*It is empty\./],
  ["lists nothing", "kind,name,id\n\n", /lists no resource/],
  ["lacks a column", "kind,name\na/b:c,d", /no first line with the columns: kind, name, id.*lacks id\./],
  ["has an unknown column", "kind,name,id,ta\u001bgs\na/b:c,d,e,f", /The first one has "ta\\u001bgs"\./],
  ["has a column __proto__", "kind,name,id,__proto__\na/b:c,d,e,f", /The first one has "__proto__"\./],
  ["has a column twice", "kind,name,id,name\na/b:c,d,e,f", /The first one has "name" twice\./],
  ["has semicolons", "kind;name;id\na/b:c;d;e", /Separate its cells with commas\./],
  ["has a stray quote", 'kind,name,id\na/b:c,d"e,f', /line 2 has a quote/],
  ["has text behind a quote", 'kind,name,id\n"a\n\n","b"c,f', /line 4 has a quote/],
  ["has an open quote", 'kind,name,id\na/b:c,d,"e', /line 2 has a quote/],
  ["has an open quote and 32 MB behind it", `kind,name,id\na/b:c,d,"${"e".repeat(2 ** 25)}`, /line 2 has a quote/],
  ["has a NUL", "kind,name,id\na/b:c,d,e\n\0", /line 3 has a NUL/],
  ["is one array", '[{"kind":"a/b:c","name":"d","id":"e"}]', /is one JSON array/],
])("a list that %s is refused as a whole", async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(message);
  await expect(read(text)).rejects.toThrow('This command adopted nothing: "list.csv" ');
});

const textsIn = async (text: string) =>
  (await read(text)).refusals.map(({ address, reason }) => `${address}: ${reason}`);

test("all bad lines of a list are named at once, with the resource that no line may have twice", async () => {
  const csv = "kind,name,id\na/b:c,d\n\na/b:c,d,\na/b:c,,\nfs:File,f,x\na/b:c,e,1\na/b:c,e,2\nA/b:c,f,1";
  expect(await textsIn(csv)).toEqual([
    "line 2: it has 2 cells, but the first line has 3",
    "line 4: it has no id",
    "line 5: it has no name and no id",
    expect.stringContaining('line 6: its kind "fs:File" is not that of a provider\'s resource'),
    "c.e: line 8 has the same scope, type and name as line 7",
    "c.f: line 9 has the same provider, type and id as line 7",
  ]);
  const good = '{"kind":"a/b:c","name":"d","id":"e"}';
  const bad = [
    '{"kind',
    "[]",
    "7",
    '{"id":7}',
    `{"id":${"[".repeat(90_000)}${"]".repeat(90_000)}}`,
    `${good.slice(0, -1)},"__proto__":{"a":1}}`,
    '{"kind":"a/b:c","name":"x"}',
    '{"kind":"a/b:c","name":"x","id":"1","name":"y"}',
  ];
  expect(await textsIn([`\uFEFF${good}`, ...bad].join("\r\n"))).toEqual([
    "line 2: it is not JSON",
    "line 3: it is not a JSON object",
    "line 4: it is not a JSON object",
    'line 5: its "id" is not a text',
    'line 6: its "id" is not a text',
    'line 7: it has "__proto__", which is not a known column',
    "line 8: it has no id",
    "line 9: it has the same member twice",
  ]);
});

test.each([
  [{ name: "../../etc" }, 'its name cannot be used: "../../etc" contains "/"'],
  [{ name: ".." }, 'its name cannot be used: ".." is a relative path'],
  [{ name: "a\u001b[31m" }, 'its name cannot be used: "a\\u001b[31m" contains a control character'],
  [{ name: "a\\b" }, 'its name cannot be used: it has more than 120 characters or a "\\"'],
  [{ name: "a".repeat(2 ** 20) }, "its name cannot be used: it has 1048576 characters"],
  [{ scope: "net/../.." }, 'its scope cannot be used: ".." is a relative path'],
  [{ id: "\0" }, 'its id "\\u0000" contains a control character'],
  [{ id: "i".repeat(2 ** 20) }, "its id has 1048576 characters"],
  [{ kind: "k".repeat(2 ** 20) }, 'its kind "kkk'],
  [{ kind: "./here/b:c" }, 'its kind "./here/b:c" is not that'],
  [{ kind: "../../there/b:c" }, "is not that"],
  [{ kind: "a/\u001b[31mb:c" }, 'its kind "a/\\u001b[31mb:c" is not that'],
  [{ provider: "../west" }, 'its provider "../west" is not the name of a configuration'],
])("a line with %j is refused with its number", async (more, reason) => {
  const line = JSON.stringify({ kind: KIND, name: "a", id: "1", ...more });
  const [refusal = "", ...others] = await textsIn(line);
  expect(refusal).toContain(`line 1: ${reason.startsWith("its") ? reason : ""}`);
  expect(refusal).toContain(reason);
  expect(refusal.length).toBeLessThan(400);
  expect(others).toEqual([]);
});

test("__proto__ and constructor are names like others", async () => {
  const lines = ["__proto__", "constructor"].map((name) => `${KIND},${name},id-of-${name},${name},${name}`);
  const { resources } = await read(["kind,name,id,scope,provider", ...lines].join("\n"));
  expect(resources).toMatchObject([
    { name: "__proto__", scope: [{ name: "__proto__" }], provider: { alias: "__proto__" } },
    { name: "constructor", scope: [{ name: "constructor" }], provider: { alias: "constructor" } },
  ]);
});

test("a list whose lines are good has no refusals, also after the check that all sources get", async () => {
  expect(checkImported(await read("kind,name,id\na/b:c,d,1\na/b:c,e,2"))).toEqual([]);
});

test("kinds without a provider are refused by name", async () => {
  const { refusals } = await read("kind,name,id\nfs:File,index,public/index.html");
  expect(refusals).toMatchObject([{ address: "line 2", reason: expect.stringContaining('"fs:File" is not') }]);
});
