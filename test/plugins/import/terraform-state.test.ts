/** The reader of states of Terraform and OpenTofu: addresses, exact numbers, and damaged or hostile texts. */
import { createCipheriv, pbkdf2Sync } from "node:crypto";
import { expect, test } from "vitest";
import { checkImported } from "../../../plugins/import/check.js";
import { Digits } from "../../../plugins/import/program/settled.js";
import { readSource } from "../../../plugins/import/readers.js";
import { roundedSecrets } from "../../../plugins/import/secret-in.js";
import { terraformState } from "../../../plugins/import/terraform/state.js";

const read = (state: unknown, passphrase?: string) =>
  terraformState.read(typeof state === "string" ? state : JSON.stringify(state), {
    place: "terraform.tfstate",
    ...(passphrase === undefined ? {} : { passphrase }),
  });

const instance = (more: object = {}) => ({ schema_version: 1, attributes: { id: "a" }, ...more });
const resource = (more: object = {}, ...instances: object[]) => ({
  mode: "managed",
  type: "fixture_thing",
  name: "one",
  provider: 'provider["registry.opentofu.org/test/fixture"]',
  instances: instances.length > 0 ? instances : [instance()],
  ...more,
});
const state = (...resources: object[]) => ({
  version: 4,
  terraform_version: "1.6.2",
  serial: 3,
  lineage: "l",
  outputs: {},
  resources,
});

test("a resource of nested modules keeps its scopes, its keys and its provider's alias", async () => {
  const imported = await read(
    state(
      resource(
        {
          module: 'module.net["e\\"u/[0]"].module.sub[1]',
          provider: 'module.net.provider["registry.terraform.io/a/b"].west',
        },
        instance({ index_key: "k.\n" }),
      ),
      resource({ mode: "data", name: "two" }),
    ),
  );
  expect(imported.resources).toMatchObject([
    {
      address: 'module.net["e\\"u/[0]"].module.sub[1].fixture_thing.one["k.\\n"]',
      scope: [
        { name: "net", key: 'e"u/[0]' },
        { name: "sub", key: 1 },
      ],
      key: "k.\n",
      provider: { source: "registry.opentofu.org/a/b", alias: "west" },
      value: { by: "state", schemaVersion: 1, json: '{"id":"a"}' },
    },
  ]);
  expect(imported.dataSources).toMatchObject([{ address: "data.fixture_thing.two", scope: [] }]);
  expect(imported.scopes.map(({ path }) => path.length)).toEqual([1, 2]);
  expect(checkImported(imported)).toEqual([]);
});

test("numbers keep all digits, and names of JavaScript are names like others", async () => {
  const attributes = '{"n":12345678901234567890123,"d":0.12345678901234567890123,"__proto__":{"x":1e2},"s":"\uf8fe1"}';
  const text = JSON.stringify(state(resource({}, instance({ attributes: "HERE" })))).replace('"HERE"', attributes);
  const [one] = (await read(text)).resources;
  expect(one?.value).toMatchObject({ json: attributes });
  expect(Reflect.get({}, "x")).toBeUndefined();
});

test("numbers of outputs are numbers, in whatever form the state has them", async () => {
  const outputs = '{"a":[-0,1.0,1e2,1e-07,0.1],"b":1e400,"c":12345678901234567890,"d":0.12345678901234567890123}';
  const text = JSON.stringify({ ...state(), outputs: { o: { value: "HERE" } } }).replace('"HERE"', outputs);
  const [one] = (await read(text)).outputs;
  expect(one?.value).toEqual({
    a: [0, 1, 100, 1e-7, 0.1],
    b: 10n ** 400n,
    c: 12345678901234567890n,
    d: new Digits("0.12345678901234567890123"),
  });
});

test("a secret output with a number that a variable of the environment would round is refused by name", async () => {
  const outputs = { open: { value: "HERE" }, hidden: { value: "HERE", sensitive: true } };
  for (const number of ["12345678901234567890", "0.12345678901234567890123"]) {
    const text = JSON.stringify({ ...state(), outputs }).replaceAll('"HERE"', `{"list":[${number}]}`);
    expect(roundedSecrets([], (await read(text)).outputs)).toMatchObject([
      { address: "output", reason: expect.stringContaining('its secret "hidden" holds a number with more digits') },
    ]);
    const single = JSON.stringify({ ...state(), outputs }).replaceAll('"HERE"', number);
    expect(roundedSecrets([], (await read(single)).outputs)).toEqual([]);
  }
});

test("secrets that only the state knows, private bytes and flat attributes are read", async () => {
  const sensitive = [
    [
      { type: "get_attr", value: "login" },
      { type: "index", value: { value: 0, type: "number" } },
    ],
  ];
  const { resources } = await read(
    state(
      resource({}, instance({ sensitive_attributes: sensitive, private: Buffer.from("bytes").toString("base64") })),
      resource({ name: "old" }, { schema_version: 0, attributes_flat: { "tags.%": "1" } }),
    ),
  );
  expect(resources).toMatchObject([
    { value: { sensitive: [["login", 0]], private: Buffer.from("bytes") } },
    { value: { flatmap: { "tags.%": "1" } } },
  ]);
});

test("tainted and deposed instances, and providers in an old form, are refused by name", async () => {
  const imported = await read(
    state(
      resource({}, instance({ status: "tainted" }), instance({ deposed: "1234abcd" })),
      resource({ name: "legacy", provider: "provider.fixture" }),
    ),
  );
  expect(checkImported(imported).map(({ address }) => address)).toEqual([
    "fixture_thing.legacy",
    "fixture_thing.one",
    "fixture_thing.one (deposed 1234abcd)",
  ]);
});

test.each(["./evil/provider", "/tmp/provider", "a/../b", "..\\evil/a/b", "a/b/\u001b[31m c", "a/b"])(
  "a state whose provider is %j, which no registry has, is refused by name, and no program there runs",
  async (source) => {
    const { resources, refusals } = await read(state(resource({ provider: `provider["${source}"]` })));
    expect(resources).toEqual([]);
    expect(refusals).toMatchObject([
      { address: "fixture_thing.one", reason: expect.stringContaining("old or unknown form") },
    ]);
  },
);

const hostile: readonly (readonly [string, string | object, RegExp])[] = [
  ["cut off", JSON.stringify(state(resource())).slice(0, -9), /not complete JSON/],
  ["an array", "[]", /not a JSON object/],
  ["nested without end", `{"version":4,"a":${"[".repeat(200_000)}`, /nested more than/],
  ["another version", { ...state(), version: 3 }, /version 3, but the engine reads version 4/],
  ["resources that are no list", { ...state(), resources: {} }, /"resources" is not a list/],
  ["a path as a name", state(resource({ name: "../../etc" })), /not the name of a resource/],
  ["a path as a type", state(resource({ type: "a/../b" })), /not the name of a resource/],
  ["an open module address", state(resource({ module: 'module.a["x' })), /not the address of a module/],
  ["a fraction as a key", state(resource({}, instance({ index_key: 1.5 }))), /with the key 1.5/],
  ["a negative version", state(resource({}, instance({ schema_version: -1 }))), /schema version/],
  [
    "attributes that are a list",
    state(resource({}, instance({ attributes: [] }))),
    /attributes that are not an object/,
  ],
  ["dependencies that are numbers", state(resource({}, instance({ dependencies: [1] }))), /list of dependencies/],
  ["outputs that are a list", { ...state(), outputs: [] }, /"outputs" is not an object/],
];

test.each(hostile)("a state that is %s gives one clear error", async (_name, text, message) => {
  await expect(read(text)).rejects.toMatchObject({ code: "IMPORT_REFUSED", message: expect.stringMatching(message) });
});

test("a cycle of dependencies, and an address that occurs twice, are one clear error", async () => {
  const long = Array.from({ length: 20_000 }, (_one, at) =>
    resource({ name: `r${at}` }, instance({ dependencies: [`fixture_thing.r${(at + 1) % 20_000}`] })),
  );
  const round = await read(state(...long));
  expect(() => checkImported(round)).toThrow(/dependencies form a cycle \(.*fixture_thing\.r0\)/);
  const twice = await read(state(resource(), resource()));
  expect(() => checkImported(twice)).toThrow(/has "fixture_thing.one" twice/);
});

const META = {
  salt: Buffer.alloc(32, 1).toString("base64"),
  iterations: 2_000,
  hash_function: "sha512",
  key_length: 32,
};

/** @param names of key providers in the meta data, with their values */
function encrypted(names: Readonly<Record<string, object>>): object {
  const key = pbkdf2Sync("correct horse", Buffer.alloc(32, 1), 2_000, 32, "sha512");
  const nonce = Buffer.alloc(12, 2);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const parts = [nonce, cipher.update(JSON.stringify(state(resource()))), cipher.final(), cipher.getAuthTag()];
  const meta = Object.entries(names).map(([name, one]) => {
    return [name, Buffer.from(JSON.stringify(one)).toString("base64")] as const;
  });
  const data = Buffer.concat(parts).toString("base64");
  return { serial: 1, lineage: "l", meta: Object.fromEntries(meta), encrypted_data: data, encryption_version: "v0" };
}

test("an encrypted state needs its passphrase, and an unreasonable key is refused before it is derived", async () => {
  const text = (of: object) => encrypted({ "key_provider.pbkdf2.mine": of });
  expect((await read(text(META), "correct horse")).resources).toHaveLength(1);
  await expect(read(text(META))).rejects.toThrow(/ENGINE_IMPORT_PASSPHRASE/);
  await expect(read(text(META), "wrong")).rejects.toThrow(/cannot be decrypted .*tofu state pull/);
  await expect(read(text({ ...META, iterations: 1e12 }), "correct horse")).rejects.toThrow(
    /does not come from a passphrase/,
  );
});

test("an encrypted state is read though its key has a name of its own (encrypted_metadata_alias)", async () => {
  expect((await read(encrypted({ "team-state-v1": META }), "correct horse")).resources).toHaveLength(1);
});

test("a state that is encrypted with another key provider is one error, which names it and the way out", async () => {
  const kms = encrypted({ "key_provider.aws_kms.main": { ciphertext_blob: "AA==" } });
  await expect(read(kms, "correct horse")).rejects.toThrow(
    /but from "key_provider.aws_kms.main".*tofu state pull \| engine/,
  );
  const chained = encrypted({ "key_provider.pbkdf2.mine": META, "key_provider.external.first": { data: "AA==" } });
  await expect(read(chained, "a passphrase of another key")).rejects.toThrow(/\(chain\).*tofu state pull \| engine/);
});

test("a text of no known format is one clear error that names the known ones", async () => {
  await expect(readSource("hello", { place: "x.txt" })).rejects.toThrow(
    /"x.txt" has no format .*terraform\.tfstate, version 4/,
  );
  return expect(readSource(JSON.stringify(state()), { place: "x" })).resolves.toMatchObject({ resources: [] });
});
