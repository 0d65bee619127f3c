/** The reader of Pulumi's exports: scopes, secrets, dependencies, and the names of a provider beneath. */
import { createCipheriv, pbkdf2Sync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { providerValue } from "../../../plugins/cli/import/bridged-state.js";
import { checkImported } from "../../../plugins/import/check.js";
import { Sensitive } from "../../../plugins/import/contract.js";
import { bridgedType } from "../../../plugins/import/pulumi/packages.js";
import { readSource } from "../../../plugins/import/readers.js";

const MARK = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const urn = (types: string, name: string) => `urn:pulumi:prod::shop::${types}::${name}`;
const STACK = urn("pulumi:pulumi:Stack", "shop-prod");
const stack = (outputs: object = {}) => ({ urn: STACK, custom: false, type: "pulumi:pulumi:Stack", outputs });
const custom = (types: string, name: string, more: object = {}) => ({
  urn: urn(types, name),
  custom: true,
  id: `${name}-id`,
  type: types.split("$").at(-1),
  parent: STACK,
  inputs: {},
  outputs: {},
  ...more,
});
const exported = (resources: object[], more: object = {}) => ({
  version: 3,
  deployment: { manifest: {}, resources, ...more },
});
const read = (json: unknown, passphrase?: string) =>
  readSource(typeof json === "string" ? json : JSON.stringify(json), {
    place: "stack.json",
    ...(passphrase === undefined ? {} : { passphrase }),
  });

function sealing(passphrase: string) {
  const salt = randomBytes(8);
  const key = pbkdf2Sync(passphrase, salt, 1_000_000, 32, "sha256");
  const seal = (text: string): string => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    const data = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    return `v1:${nonce.toString("base64")}:${data.toString("base64")}`;
  };
  const state = { salt: `v1:${salt.toString("base64")}:${seal("pulumi")}` };
  const secret = (value: unknown) => ({ [MARK]: SECRET, ciphertext: seal(JSON.stringify(value)) });
  return { secret, providers: { type: "passphrase", state } };
}

test("components become scopes, and a resource below a resource stays in its component", async () => {
  const site = urn("my:Site", "blog");
  const bucket = urn("my:Site$aws:s3/bucket:Bucket", "assets");
  const imported = await read(
    exported([
      stack({ url: "https://blog" }),
      { urn: urn("pulumi:providers:aws", "default_6_0"), custom: true, id: "1", type: "pulumi:providers:aws" },
      { urn: site, custom: false, type: "my:Site", parent: STACK },
      custom("my:Site$aws:s3/bucket:Bucket", "assets", {
        parent: site,
        provider: `${urn("pulumi:providers:aws", "default_6_0")}::1`,
        protect: true,
        outputs: { bucket: "assets-1", __meta: '{"schema_version":"2"}' },
      }),
      custom("my:Site$aws:s3/bucket:Bucket$aws:s3/bucketPolicy:BucketPolicy", "policy", {
        parent: bucket,
        provider: `${urn("pulumi:providers:aws", "west")}::2`,
        retainOnDelete: true,
      }),
      custom("kubernetes:core/v1:Namespace", "ns", { dependencies: [site], inputs: { a: 1 }, outputs: { b: 2 } }),
    ]),
  );
  expect(imported.source).toMatchObject({ app: "shop", stage: "prod" });
  expect(imported.outputs).toEqual([{ name: "url", value: "https://blog", isSensitive: false }]);
  expect(imported.scopes).toEqual([{ path: [{ name: "blog" }], type: "my:Site" }]);
  const [first, second, third] = imported.resources;
  expect(first).toMatchObject({
    scope: [{ name: "blog" }],
    protect: true,
    provider: { source: "registry.opentofu.org/hashicorp/aws" },
    value: {
      by: "bridge",
      types: ["aws_s3_bucket"],
      schemaVersion: 2,
      output: { id: "assets-id", bucket: "assets-1" },
    },
  });
  expect(first?.provider).not.toHaveProperty("alias");
  expect(second).toMatchObject({ scope: [{ name: "blog" }], retain: true, provider: { alias: "west" } });
  expect(second?.dependencies).toEqual([first?.address]);
  expect(third?.value).toEqual({ by: "value", props: { a: 1 }, output: { id: "ns-id", b: 2 } });
  expect(new Set(third?.dependencies)).toEqual(new Set([first?.address, second?.address]));
  expect(checkImported(imported)).toEqual([]);
});

test("secrets open with the passphrase of the stack, and plain ones without", async () => {
  const { secret, providers } = sealing("correct horse");
  const of = (value: object) =>
    exported(
      [
        stack({ key: value }),
        custom("random:index/randomPassword:RandomPassword", "p", { outputs: { result: value } }),
      ],
      {
        secrets_providers: providers,
      },
    );
  const imported = await read(of(secret("s3cr3t")), "correct horse");
  expect(imported.outputs).toEqual([{ name: "key", value: "s3cr3t", isSensitive: true }]);
  expect(imported.resources[0]?.value).toMatchObject({ output: { result: new Sensitive("s3cr3t") } });
  await expect(read(of(secret("s3cr3t")), "wrong")).rejects.toThrow(/cannot be decrypted/);
  await expect(read(of(secret("s3cr3t")))).rejects.toThrow(/ENGINE_IMPORT_PASSPHRASE.*--show-secrets/);
  const plain = await read(of({ [MARK]: SECRET, plaintext: '{"a":[1]}' }));
  expect(plain.outputs).toEqual([{ name: "key", value: { a: [1] }, isSensitive: true }]);
});

test("everything that is half-way is refused by name", async () => {
  const imported = await read(
    exported(
      [
        stack(),
        custom("a:b:C", "replaced", { pendingReplacement: true }),
        custom("a:b:C", "broken", { initErrors: ["no"] }),
        custom("a:b:C", "old", { delete: true }),
        custom("a:b:C", "old"),
        custom("a:b:C", "tainted", { taint: true }),
      ],
      { pending_operations: [{ type: "creating", resource: custom("a:b:C", "half") }] },
    ),
  );
  expect(checkImported(imported).map(({ address }) => address)).toEqual([
    "a:b:C::half",
    "a:b:C::replaced",
    "a:b:C::broken",
    "a:b:C::old (to be deleted)",
    "a:b:C::tainted",
  ]);
});

test("the output of sst state export is read: a checkpoint without a version, encrypted or decrypted", async () => {
  const { secret, providers } = sealing("from SSM");
  const bucket = (token: object) => custom("sst:aws:Bucket$aws:s3/bucket:Bucket", "files", { outputs: { token } });
  const sst = (token: object, more: object = {}) => {
    const site = { urn: urn("sst:aws:Bucket", "Files"), custom: false, type: "sst:aws:Bucket", parent: STACK };
    const link = { urn: urn("sst:sst:LinkRef", "FilesLinkRef"), custom: false, type: "sst:sst:LinkRef" };
    const code = custom("pulumi-nodejs:dynamic:Resource", "Api.sst.aws.FunctionCodeUpdater", {
      inputs: { __provider: "code", s3Key: "a.zip" },
      outputs: { __provider: "code", version: "7" },
    });
    const resources = [stack(), site, link, bucket(token), code];
    return { stack: "organization/shop/prod", latest: { manifest: {}, resources, ...more } };
  };
  const plain = { [MARK]: SECRET, plaintext: JSON.stringify("hush") };
  for (const imported of [
    await read(sst(plain)),
    await read(sst(secret("hush"), { secrets_providers: providers }), "from SSM"),
  ]) {
    expect(imported.source).toMatchObject({ app: "shop", stage: "prod" });
    expect(imported.resources).toMatchObject([
      { type: "aws:s3/bucket:Bucket", value: { by: "bridge", output: { token: { value: "hush" } } } },
      { type: "pulumi-nodejs:dynamic:Resource", value: { by: "value", output: { version: "7" } } },
    ]);
  }
});

test("members with the name __proto__ or with two underscores are values like others, except those of Pulumi", async () => {
  const value =
    '{"__proto__":{"a":1},"__meta":"{}","in":{"__proto__":2,"__env":"x","__defaults":["y"]},"n":[1.0,1e-07]}';
  const text = JSON.stringify(exported([stack({ o: "HERE" }), custom("a:b:C", "c", { inputs: "HERE" })]));
  const { resources, outputs } = await read(text.replaceAll('"HERE"', value));
  const inner = '"in":{"__proto__":2,"__env":"x"},"n":[1,1e-7]}';
  expect(JSON.stringify(Reflect.get(resources[0]?.value ?? {}, "props"))).toBe(`{"__proto__":{"a":1},${inner}`);
  expect(JSON.stringify(outputs[0]?.value)).toBe(`{"__proto__":{"a":1},"__meta":"{}",${inner}`);
});

test("a name with line breaks and sequences of a terminal stays in one line of a message, and no type has them", async () => {
  const name = "one\n\u001b[31merror    all is lost\u202e";
  const imported = await read(exported([stack(), custom("a:b:C", name, { taint: true })]));
  const [refusal] = checkImported(imported);
  expect(refusal?.address).toBe("a:b:C::one\\u{a}\\u{1b}(31merror    all is lost\\u{202e}");
  for (const type of ["a:b:C\nerror", "a:b:\u001b[31mC", "a:b\u202e:C", "a:b: C"])
    await expect(read(exported([stack(), custom(type, "c")]))).rejects.toThrow(
      /is damaged: .* is not the name of a resource/,
    );
});

test("a secret object with a number that a variable of the environment would round is refused", async () => {
  const outputs = (plaintext: string) => exported([stack({ key: { [MARK]: SECRET, plaintext } })]);
  await expect(read(outputs('{"a":[9007199254740993]}'))).rejects.toThrow(/more digits than those of JavaScript/);
  const whole = await read(outputs("9007199254740993"));
  expect(whole.outputs).toEqual([{ name: "key", value: "9007199254740993", isSensitive: true }]);
});

test.each([
  ["is of another version", { version: 2, deployment: {} }, /format version 2/],
  ["holds no deployment", { version: 3, checkpoint: { stack: "a" } }, /Run pulumi up once/],
  ["has a resource without a name", exported([{ urn: "x" }]), /not the name of a resource/],
  ["has resources of another type", { version: 3, deployment: { resources: "none" } }, /not a list/],
  [
    "has a child before its parent",
    exported([custom("a:b:C", "c", { parent: urn("my:Site", "later") })]),
    /before its child/,
  ],
  [
    "holds an unknown value",
    exported([stack(), custom("a:b:C", "c", { outputs: { a: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" } })]),
    /did not know yet/,
  ],
  ["is cut off", '{"version": 3, "deployment": {"res', /not complete JSON/],
])("an export that %s is refused", async (_, json, message) => {
  await expect(read(json)).rejects.toThrow(message);
});

test.each([
  ["aws:s3/bucketV2:BucketV2", ["aws_s3_bucket_v2", "aws_s3_bucket"]],
  ["aws:ec2/securityGroup:SecurityGroup", ["aws_security_group", "aws_ec2_security_group"]],
  ["aws:rds/instance:Instance", ["aws_db_instance"]],
  ["azure:core/resourceGroup:ResourceGroup", ["azurerm_resource_group", "azurerm_core_resource_group"]],
  ["gcp:compute/instance:Instance", ["google_compute_instance"]],
  ["random:index/randomPassword:RandomPassword", ["random_password", "random_random_password"]],
])("%s is a type of the provider beneath", (token, types) => {
  expect(bridgedType(token)?.types).toEqual(types);
});

test("the provider's names, lists and numbers come back from Pulumi's", () => {
  const { value, sensitive, unknown } = providerValue(
    {
      attributes: {
        id: { type: "string" },
        subnet_id: { type: ["list", "string"] },
        max_size: { type: "number" },
        tags: { type: ["map", "string"] },
        rule: { type: ["set", ["object", { from_port: "number", cidr_block: ["list", "string"] }]] },
        enabled: { type: "bool" },
        text: { type: "string" },
        absent: { type: "string" },
      },
      blocks: {
        policy: {
          nesting: "list",
          minItems: 0,
          maxItems: 1,
          block: { attributes: { policy_name: { type: "string" } }, blocks: {} },
        },
        timeouts: {
          nesting: "single",
          minItems: 0,
          maxItems: 0,
          block: { attributes: { create: { type: "string" } }, blocks: {} },
        },
      },
    },
    {
      id: "1",
      subnetIds: ["a", "b"],
      maxSize: 3,
      tags: { some_key: "x", Other: "y" },
      rules: [{ fromPort: 80, cidrBlocks: "10.0.0.0/8" }],
      enabled: "true",
      text: { a: 1 },
      policy: { policyName: new Sensitive("p") },
      extra: 1,
    },
  );
  expect(value).toEqual({
    id: "1",
    subnet_id: ["a", "b"],
    max_size: 3,
    tags: { some_key: "x", Other: "y" },
    rule: [{ from_port: 80, cidr_block: ["10.0.0.0/8"] }],
    enabled: true,
    text: '{"a":1}',
    absent: null,
    policy: [{ policy_name: "p" }],
    timeouts: null,
  });
  expect(sensitive).toEqual([["policy", 0, "policy_name"]]);
  expect(unknown).toEqual(["extra"]);
});

test("the guide lists the packages whose Terraform provider the engine knows", () => {
  const page = readFileSync("docs/guide/moving-from-pulumi.md", "utf8");
  const [, list = ""] = /providers of these packages:([^.]*)\./.exec(page) ?? [];
  const listed = [...list.matchAll(/`([a-z\d]+)`/g)].flatMap(([, name]) => name ?? []);
  const code = readFileSync("plugins/import/pulumi/packages.ts", "utf8");
  const known = [...code.matchAll(/^ {2}(\w+): \["/gm)].flatMap(([, name]) => name ?? []);
  expect(known).toContain("aws");
  expect(listed).toEqual(known);
});
