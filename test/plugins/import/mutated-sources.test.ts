/** Damaged and hostile sources, made from whole ones by random changes: one clear error, or a project. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isEngineError } from "../../../core/base/index.js";
import { checkImported } from "../../../plugins/import/check.js";
import type { Imported } from "../../../plugins/import/contract.js";
import { settlePlain } from "../../../plugins/import/plain/settle-plain.js";
import { printProgram } from "../../../plugins/import/print/print-program.js";
import { programOf } from "../../../plugins/import/program/build.js";
import { readFolder, readSource } from "../../../plugins/import/readers.js";
import { roundedSecrets, secretIn } from "../../../plugins/import/secret-in.js";
import { Random } from "../../attacks/random.ts";

const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: '{"a":[1,"x"]}' };
const urn = (type: string, name: string) => `urn:pulumi:prod::shop::${type}::${name}`;
const STACK = urn("pulumi:pulumi:Stack", "shop-prod");
const SITE = urn("my:Site", "site");

const terraform = {
  version: 4,
  terraform_version: "1.6.2",
  serial: 3,
  lineage: "l",
  outputs: { a: { value: { n: 1.5, t: ["x", null] } }, b: { value: "hush", sensitive: true } },
  resources: [
    {
      mode: "managed",
      type: "a_thing",
      name: "one",
      module: 'module.net["eu"]',
      provider: 'provider["registry.opentofu.org/a/a"].west',
      instances: [
        {
          index_key: "k",
          schema_version: 1,
          attributes: { id: "1", list: [1, { a: true }], big: 12345678901234567000 },
          sensitive_attributes: [
            [
              { type: "get_attr", value: "list" },
              { type: "index", value: { value: 1, type: "number" } },
            ],
          ],
          private: "YQ==",
          dependencies: ["data.a_lookup.two"],
        },
      ],
    },
    {
      mode: "data",
      type: "a_lookup",
      name: "two",
      provider: 'provider["registry.opentofu.org/a/a"]',
      instances: [{ schema_version: 0, attributes_flat: { "tags.%": "1" } }],
    },
  ],
  check_results: null,
};

const custom = (type: string, name: string, more: object = {}) => ({
  urn: urn(type, name),
  custom: true,
  id: `${name}-id`,
  type,
  parent: SITE,
  inputs: { a: 1, __defaults: ["b"], deep: { list: ["x", { y: null }], when: 1e-7 }, secret: SECRET },
  outputs: { b: 2, __meta: '{"schema_version":"1"}' },
  ...more,
});

const pulumi = {
  version: 3,
  deployment: {
    manifest: {},
    secrets_providers: { type: "passphrase", state: { salt: "v1:AAAA:v1:AAAA:AAAA" } },
    resources: [
      { urn: STACK, custom: false, type: "pulumi:pulumi:Stack", outputs: { url: "x", key: SECRET } },
      { urn: SITE, custom: false, type: "my:Site", parent: STACK },
      custom("my:mod:Thing", "one", { additionalSecretOutputs: ["b"] }),
      custom("aws:s3/bucket:Bucket", "two", {
        propertyDependencies: { a: [urn("my:mod:Thing", "one")] },
        protect: true,
      }),
    ],
    pending_operations: [],
  },
};

const alchemy: Readonly<Record<string, object>> = {
  "thing.json": {
    kind: "my::Thing",
    id: "thing",
    seq: 1,
    status: "created",
    props: { a: 1, at: { "@date": "2020-01-01T00:00:00.000Z" }, bytes: { "@buffer": "YQ==" }, s: { "@schema": {} } },
    output: { id: "i", "Symbol(alchemy)": 1, deep: { list: ["x", null] } },
  },
  "inner.json": { kind: "alchemy::Scope", id: "inner", seq: 2, status: "created", data: { pendingDeletions: [] } },
  "inner/file.json": {
    kind: "fs::File",
    id: "file",
    seq: 0,
    status: "updated",
    props: { path: "a", content: "b" },
    output: { path: "a" },
  },
};

const HOSTILE: readonly string[] = [
  "null",
  "true",
  "-0",
  "1e400",
  "12345678901234567890",
  '""',
  '"../../x"',
  '"\\u001b[31m\\n"',
  '"\\ud800"',
  '"__proto__"',
  `"${"x".repeat(10_000)}"`,
  "[]",
  "{}",
  '{"__proto__":{"a":1},"constructor":1}',
  `${"[".repeat(290)}${"]".repeat(290)}`,
  `${'{"a":'.repeat(400)}1${"}".repeat(400)}`,
  '"\uf8fe1"',
  JSON.stringify(SECRET),
];

/** Returns the text of a value in which one part has another value, name or place. */
function changed(value: unknown, random: Random): string {
  const isInner = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (!isInner || random.chance(0.1)) return random.one(HOSTILE);
  const all = Object.entries(value).map(([name, one]) => [name, JSON.stringify(one)] as [string, string]);
  const at = random.below(all.length);
  const [name] = all[at] as [string, string];
  const dice = random.below(12);
  if (dice === 0) all.splice(at, 1);
  else if (dice === 1) all.push([name, random.one(HOSTILE)]);
  else if (dice === 2) all[at] = [random.one(["__proto__", "a.b", "urn", "\u001b[31m"]), random.one(HOSTILE)];
  else if (dice === 3) all.push([random.one(["__proto__", "toString", "x"]), random.one(all)[1]]);
  else all[at] = [name, changed(Reflect.get(value, name), random)];
  return Array.isArray(value)
    ? `[${all.map(([, one]) => one).join(",")}]`
    : `{${all.map(([own, one]) => `${JSON.stringify(own)}:${one}`).join(",")}}`;
}

function mutated(value: unknown, random: Random): string {
  const whole = random.chance(0.7) ? changed(value, random) : JSON.stringify(value);
  const dice = random.below(10);
  if (dice === 0) return whole.slice(0, random.below(whole.length));
  if (dice > 2) return whole;
  const bytes = Buffer.from(whole);
  for (let flips = random.below(4); flips >= 0; flips--) {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  }
  return bytes.toString();
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mutated-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function alchemyFolder(random: Random): Promise<string> {
  const place = join(folder, ".alchemy/shop/prod");
  await rm(place, { recursive: true, force: true });
  const names = Object.keys(alchemy);
  const target = random.one(names);
  for (const name of names) {
    const path = join(place, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, name === target ? mutated(alchemy[name], random) : JSON.stringify(alchemy[name]));
  }
  return place;
}

/** Does everything that needs no provider. */
function printed(imported: Imported): number {
  if (checkImported(imported).length > 0) return 0;
  secretIn(imported);
  const plain = settlePlain(imported.resources, imported.source.tool);
  if (roundedSecrets(plain.resources, imported.outputs).length > 0) return 0;
  const program = programOf({ app: "shop", providers: [], resources: plain.resources, outputs: imported.outputs });
  const { files } = printProgram(program, "A test.");
  for (const text of [...files.values(), ...plain.files.values()]) {
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    transformSync(text, { loader: "ts" });
  }
  return files.size;
}

test("a changed source gives one clear error or a program, and never another failure", async () => {
  const random = new Random(7);
  const unclear: string[] = [];
  const ends = new Set<string>();
  for (let round = 0; round < 250; round++) {
    const tool = random.one(["terraform", "pulumi", "alchemy"] as const);
    const text = tool === "alchemy" ? "" : mutated(tool === "pulumi" ? pulumi : terraform, random);
    const place = tool === "alchemy" ? await alchemyFolder(random) : "state";
    try {
      const imported = await (tool === "alchemy" ? readFolder({ place }) : readSource(text, { place }));
      ends.add(`${tool} ${printed(imported) === 0 ? "refused" : "printed"}`);
    } catch (error) {
      ends.add(`${tool} error`);
      const { message, stack } = error as Error;
      const isClear = isEngineError(error, "IMPORT_REFUSED") && message.length < 2_000;
      if (!isClear) unclear.push(`round ${round}, ${tool}: ${stack?.slice(0, 2_000)}`);
    }
  }
  expect(unclear).toEqual([]);
  expect(Reflect.get({}, "a")).toBeUndefined();
  for (const tool of ["terraform", "pulumi", "alchemy"])
    for (const end of ["error", "printed"]) expect(ends).toContain(`${tool} ${end}`);
});
