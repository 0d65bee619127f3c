/** The file of `--provider-config`: unknown names are refused, plain words stay readable, messages name the flag. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  configAdvice,
  configsIn,
  plainNames,
  refuseUnusedConfigs,
  unconfiguredNote,
} from "../../../plugins/cli/import/provider-configs.js";
import { FromEnvironment } from "../../../plugins/import/program/settled.js";
import { block, blocks, optional } from "../terraform/schema/shapes.ts";

const schema = block(
  {
    region: optional,
    hosts: optional,
    api_token: optional,
    endpoint: optional,
    login: { ...optional, sensitive: true },
  },
  {
    assume: blocks("list", block({ role: optional, external_key: optional })),
    proxy: blocks("list", block({ host: optional })),
  },
);

const folders: string[] = [];
afterEach(async () => {
  for (const one of folders.splice(0)) await rm(one, { recursive: true });
});

async function written(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "configs-"));
  folders.push(folder);
  await writeFile(join(folder, "providers.json"), content);
  return join(folder, "providers.json");
}

describe("a name that the source does not use", () => {
  test.each([
    ["acmee", ["acme", "other"], 'Did you mean "acme"?'],
    ["acme.west", ["acme"], 'Did you mean "acme"?'],
    ["acme", ["acme.west"], 'Did you mean "acme.west"?'],
    ["postgresql", ["acme", "other"], "Its providers: acme, other."],
    ["acme", [], "It has no resource of a provider."],
  ])("is refused, with the nearest one: %s", (name, used, hint) => {
    const refuse = () => refuseUnusedConfigs({ file: "providers.json", byName: { [name]: {} } }, { used });
    expect(refuse).toThrow(`"providers.json" configures "${name}", but the source has no such provider. ${hint}`);
  });

  test("is refused with the reason if it is a package whose provider is not known", () => {
    const configs = { file: "providers.json", byName: { kubernetes: {} } };
    expect(() => refuseUnusedConfigs(configs, { used: [], unknown: new Set(["kubernetes"]) })).toThrow(
      "the engine knows no Terraform provider for this package. Its resources become stubs, which need no configuration. Correct or remove this entry.",
    );
  });
});

test("a file that is missing, is not JSON, or reads an unset variable is named with its fault", async () => {
  await expect(configsIn("/no/such/providers.json")).rejects.toThrow(
    /--provider-config, "\/no\/such\/providers.json", cannot be read/,
  );
  await expect(configsIn(await written("{"))).rejects.toThrow("is not JSON. It must be JSON such as");
  await expect(configsIn(await written('{"acme": 1}'))).rejects.toThrow("is not an object of objects.");
  const unset = await written('{"acme": {"apiToken": {"$env": "NO_SUCH_VARIABLE"}}}');
  await expect(configsIn(unset)).rejects.toThrow(/NO_SUCH_VARIABLE is not set, but ".*providers.json" reads it/);
});

test("words such as a region need no mask, but secrets by mark or by name, variables and URLs with a password do", () => {
  const config = {
    region: "eu",
    hosts: ["a", "b"],
    apiToken: "plain",
    endpoint: "https://user:word@host",
    login: "marked",
    assume: [{ role: "r", externalKey: "k" }],
    proxy: [{ host: "h" }],
  };
  expect(plainNames(config, schema)).toEqual(["region", "hosts", "proxy"]);
  expect(plainNames({ region: new FromEnvironment("REGION", "eu"), endpoint: "https://host" }, schema)).toEqual([
    "endpoint",
  ]);
});

test("advice has a member of the schema, and names the flag or the present file", () => {
  const byName = {};
  expect(configAdvice("acme", { file: undefined, byName }, schema)).toBe(
    'The source does not hold the configuration of the provider "acme". Pass a JSON file with it, such as {"acme":{"login":{"$env":"ACME_LOGIN"}}}: --provider-config FILE.',
  );
  expect(configAdvice("acme.west", { file: "p.json", byName }, block({ region: optional }))).toContain(
    'Add it to "p.json", such as {"acme.west":{"region":"…"}}: --provider-config p.json.',
  );
  expect(configAdvice("acme", { file: "p.json", byName: { acme: {} } }, schema)).toBe('Correct "acme" in "p.json".');
});

test("a note names the configurations that were not carried over, and the flag, but no provider without settings", () => {
  const all = [
    { name: "acme", block: schema },
    { name: "acme.west", block: schema },
    { name: "random", block: block({}) },
  ];
  const [note = ""] = unconfiguredNote(all, { file: undefined });
  expect(note).toContain("acme, acme.west. ");
  expect(note).toContain("--provider-config FILE");
  expect(note).not.toContain("random");
  expect(unconfiguredNote(all.slice(1), { file: "p.json" })).toEqual([
    'The source does not hold the configuration of these providers, so the program passes none to them: acme.west. Add them to "p.json", such as {"acme.west":{"login":{"$env":"ACME_WEST_LOGIN"}}}: --provider-config p.json.',
  ]);
  expect(unconfiguredNote(all.slice(2), { file: undefined })).toEqual([]);
});
