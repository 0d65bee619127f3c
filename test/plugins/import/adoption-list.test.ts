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
  ["has a stray quote", 'kind,name,id\na/b:c,d"e,f', /line 2 has a quote/],
  ["has an open quote", 'kind,name,id\na/b:c,d,"e', /line 2 has a quote/],
])("a list that %s is refused as a whole", async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(message);
  await expect(read(text)).rejects.toThrow('Nothing was adopted: "list.csv" ');
});

const textsIn = async (text: string) =>
  (await read(text)).refusals.map(({ address, reason }) => `${address}: ${reason}`);

test("all bad lines of a list are named at once, with the resource that no line may have twice", async () => {
  const csv = "kind,name,id\na/b:c,d\n\na/b:c,d,\na/b:c,,\nfs:File,f,x\na/b:c,e,1\na/b:c,e,2";
  expect(await textsIn(csv)).toEqual([
    "line 2: it has 2 cells, but the first line has 3",
    "line 4: it has no id",
    "line 5: it has no name and no id",
    expect.stringContaining('File.f: "fs:File" is not the kind of a provider\'s resource'),
    "c.e: line 8 has the same scope, type and name as line 7",
  ]);
  const good = '{"kind":"a/b:c","name":"d","id":"e"}';
  const bad = ['{"kind', "[]", '{"id":7}', `${good.slice(0, -1)},"__proto__":{"a":1}}`, '{"kind":"a/b:c","name":"x"}'];
  expect(await textsIn([good, ...bad].join("\n"))).toEqual([
    "line 2: it is not JSON",
    "line 3: it has no kind and no name and no id",
    'line 4: it has "id", which is not a text of a known column',
    'line 5: it has "__proto__", which is not a text of a known column',
    "line 6: it has no id",
  ]);
});

test("a list whose lines are good has no refusals, also after the check that all sources get", async () => {
  expect(checkImported(await read("kind,name,id\na/b:c,d,1\na/b:c,e,2"))).toEqual([]);
});

test("kinds without a provider are refused by name", async () => {
  const { refusals } = await read("kind,name,id\nfs:File,index,public/index.html");
  expect(refusals).toMatchObject([{ address: "File.index", reason: expect.stringContaining('"fs:File" is not') }]);
});
