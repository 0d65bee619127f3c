/** The reader of Alchemy's folder. The fixture was written by Alchemy 0.94.0 with the password "pw". */
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkImported } from "../../../plugins/import/check.js";
import { Sensitive } from "../../../plugins/import/contract.js";
import { settlePlain } from "../../../plugins/import/plain/settle-plain.js";
import { readFolder } from "../../../plugins/import/readers.js";

const FIXTURE = fileURLToPath(new URL("../../fixtures/alchemy/shop", import.meta.url));

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "alchemy-"));
  await cp(FIXTURE, join(root, ".alchemy/shop"), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const stage = () => join(root, ".alchemy/shop/prod");
const read = (place = join(root, ".alchemy"), passphrase = "pw") => readFolder({ place, passphrase });
const change = async (file: string, more: object): Promise<void> => {
  const path = join(stage(), file);
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), ...more }));
};

test("a stage keeps its scopes, order, dates and secrets, and the values that came from other resources", async () => {
  const imported = await read();
  expect(imported.source).toMatchObject({ tool: "Alchemy", app: "shop", stage: "prod" });
  expect(imported.resources.map(({ address }) => address)).toEqual([
    "index",
    "key",
    "note-parts/inner",
    "note",
    "backend/api",
    "backend/api/../conf",
  ]);
  const note = imported.resources.find(({ address }) => address === "note");
  expect(note).toMatchObject({
    type: "my::Note",
    dependencies: ["index", "key"],
    value: {
      props: { token: new Sensitive("tok-123"), nested: { list: [1, "a", null], d: new Date(5) } },
      output: { at: new Date(0), secretOut: new Sensitive("outsecret"), innerPath: "out/inner.txt" },
    },
  });
  expect(JSON.stringify(note)).not.toContain("Symbol(");
  expect(imported.notes).toEqual([expect.stringContaining('The handler of "note" declared resources')]);
  expect(checkImported(imported)).toEqual([]);
});

test("the folder of the app or of the stage is enough; with several stages, all are named", async () => {
  await read(stage());
  await read(join(root, ".alchemy/shop"));
  await cp(stage(), join(root, ".alchemy/shop/dev"), { recursive: true });
  await expect(read()).rejects.toThrow(/holds 2 stages.*shop\/dev.*shop\/prod/);
  await expect(readFolder({ place: root })).rejects.toThrow(/run: engine import .*\.alchemy/);
});

test("a wrong password, none, and a changed secret are refused without any part of a secret", async () => {
  await expect(read(stage(), "wrong")).rejects.toMatchObject({ code: "IMPORT_REFUSED" });
  await expect(readFolder({ place: stage() })).rejects.toThrow(/ENGINE_IMPORT_PASSPHRASE/);
  await change("key.json", { output: { value: { "@secret": "b2xk" } } });
  await expect(read()).rejects.toThrow(/format of an old Alchemy/);
});

test("resources that an interrupted run left half-way, or old copies, are refused by name", async () => {
  await change("index.json", { status: "updating" });
  await change("note.json", { data: { pendingDeletions: [{ resource: {} }] } });
  expect(checkImported(await read())).toMatchObject([
    { address: "index", reason: expect.stringContaining("interrupted (updating)") },
    { address: "note", reason: expect.stringContaining("not deleted yet") },
  ]);
});

test.each([
  ["is cut off", '{"kind": "fs::Fi', /not complete JSON/],
  ["is a list", "[]", /not a JSON object/],
  ["is not UTF-8", Buffer.from('{"kind":"a","id":"caf\xe9","status":"created"}', "latin1"), /is not UTF-8/],
  ["has no kind", '{"id":"x","status":"created"}', /has no kind/],
  ["has a kind of two lines", '{"kind":"a\\nb","id":"x","status":"created"}', /has a kind with blanks/],
  ["has an id of another type", '{"kind":"a","id":7,"status":"created"}', /has no id/],
  ["is deep", `${'{"a":'.repeat(400)}1${"}".repeat(400)}`, /300 levels/],
  ["holds no date", '{"kind":"a","id":"x","status":"created","props":{"d":{"@date":"soon"}}}', /date/],
  [
    "holds a secret without a nonce",
    '{"kind":"a","id":"x","status":"created","props":{"@secret":{"version":"v1","ciphertext":"","iv":"","salt":"","tag":"AAAAAAAAAAAAAAAAAAAAAA=="}}}',
    /does not decrypt/,
  ],
  [
    "holds a malformed secret",
    '{"kind":"a","id":"x","status":"created","props":{"@secret":{"version":"v1"}}}',
    /secret/,
  ],
])("a file that %s is refused, and names the folder", async (_, text, message) => {
  await writeFile(join(stage(), "x.json"), text);
  await expect(read()).rejects.toThrow(message);
});

test("a resource called __proto__ or with a path as its id is only a name", async () => {
  const odd = '{"kind":"a","id":"__proto__","status":"created","props":{"__proto__":{"a":1}},"output":{}}';
  await writeFile(join(stage(), "__proto__.json"), odd);
  const found = (await read()).resources.find(({ address }) => address === "__proto__");
  expect(found?.value).toMatchObject({ by: "value" });
  expect(Object.getPrototypeOf(Object.values({ ...found })[0])).toBe(String.prototype);
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});

test("a link in the folder is refused, and so is an empty folder", async () => {
  await symlink("/etc/passwd", join(stage(), "link.json"));
  await expect(read()).rejects.toThrow(/neither a file nor a folder/);
  await rename(stage(), join(root, "elsewhere"));
  await expect(read()).rejects.toThrow(/holds no stage/);
  await mkdir(stage());
  expect((await read()).resources).toEqual([]);
});

test("a stub for a type whose kind the engine has too gets a kind of its own", () => {
  const resource = { scope: [], dependencies: [], provider: undefined, value: { by: "value", props: {}, output: {} } };
  const copy = { ...resource, address: "copy", name: "copy", type: "fs::CopyFile" } as const;
  const clean = { ...resource, address: "site", name: "site", type: "fs::Folder" } as const;
  const { resources } = settlePlain([copy, clean] as never, "Alchemy");
  expect(resources.map(({ record }) => record?.kind)).toEqual(["alchemy:fs:CopyFile", "alchemy:fs:Folder"]);
});

test("a stub whose name the program uses itself is named after its package, not numbered", () => {
  const one = { scope: [], dependencies: [], provider: undefined, value: { by: "value", props: {}, output: {} } };
  const made = { ...one, address: "a", name: "a", type: "pulumi-nodejs:dynamic:Resource" } as const;
  const { resources } = settlePlain([made] as never, "Pulumi");
  expect(resources[0]?.call).toMatchObject({ functionName: "DynamicResource" });
});
