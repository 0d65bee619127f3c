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

test.each([
  ["is empty", "", /no first line/],
  ["lists nothing", "kind,name,id\n\n", /lists no resource/],
  ["lacks a column", "kind,name\na/b:c,d", /no first line with the columns: kind, name, id/],
  ["has an unknown column", "kind,name,id,tags\na/b:c,d,e,f", /no first line/],
  ["has a short line", "kind,name,id\na/b:c,d", /line 2 has 2 cells/],
  ["has an empty id", "kind,name,id\n\na/b:c,d,", /line 3 has no id/],
  ["has a stray quote", 'kind,name,id\na/b:c,d"e,f', /line 2 has a quote/],
  ["has an open quote", 'kind,name,id\na/b:c,d,"e', /line 2 has a quote/],
  ["has a line that is not JSON", '{"kind":"a/b:c","name":"d","id":"e"}\n{"kind', /line 2 is not JSON/],
  ["has a number", '{"kind":"a/b:c","name":"d","id":7}', /"id", which is not a text/],
  ["has __proto__", '{"kind":"a/b:c","name":"d","id":"e","__proto__":{"a":1}}', /"__proto__", which is not/],
])("a list that %s is refused with its line", async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test("kinds without a provider are refused by name, and so is a resource that is listed twice", async () => {
  const { refusals } = await read("kind,name,id\nfs:File,index,public/index.html");
  expect(refusals).toMatchObject([{ address: "File.index", reason: expect.stringContaining('"fs:File" is not') }]);
  const twice = await read("kind,name,id\na/b:c,d,1\na/b:c,d,2");
  expect(() => checkImported(twice)).toThrow(/twice/);
});
