/** Registries that require credentials. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { credentialsOf, variableOf } from "../../../../plugins/terraform/registry/credentials/index.ts";
import { resolveProvider } from "../../../../plugins/terraform/registry/index.js";
import { localRegistry, newKey } from "./local-registry.ts";
import { IMPATIENT, type Workshop, workshop } from "./workshop.ts";

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

const TOKEN = "s3cr3t-t0ken";

async function closed(): Promise<Workshop> {
  const shop = await workshop();
  undo.push(shop.close);
  shop.registry.token = TOKEN;
  return shop;
}

describe("a registry that wants to know who asks", () => {
  test("gets the token of its variable, and the host of its archives gets none", async () => {
    const { add, registry } = await closed();
    await add(undefined, { credentials: credentialsOf({ [variableOf(registry.host)]: TOKEN }) });
    const said = new Map(registry.paths.map((path, at) => [path, registry.said[at]]));
    const own = [...said].filter(([path]) => !path.startsWith("/files/"));
    expect(own.map(([path]) => path.split("/").at(-1))).toEqual(["terraform.json", "versions", expect.any(String)]);
    expect(own.every(([, authorization]) => authorization === `Bearer ${TOKEN}`)).toBe(true);
    const others = [...said].filter(([path]) => path.startsWith("/files/"));
    expect(others.map(([, authorization]) => authorization)).toEqual([undefined, undefined, undefined]);
  });

  test("also gets it from a run, which downloads what the cache does not have", async () => {
    const { add, registry, lockFile, folder, name } = await closed();
    const env = { [variableOf(registry.host)]: TOKEN };
    await add(undefined, { credentials: credentialsOf(env) });
    const root = join(folder, "other");
    expect(await resolveProvider(lockFile, name, { root, env })).toContain(root);
    await expect(resolveProvider(lockFile, name, { root: join(folder, "third"), env: {} })).rejects.toThrow("401");
  });

  test("without a token says which variable takes it", async () => {
    const { add, registry } = await closed();
    const message = `answered 401. The registry requires a token. Set ${variableOf(registry.host)} to a token`;
    await expect(add(undefined, { credentials: credentialsOf({}) })).rejects.toThrow(message);
  });

  test("with a token that it does not take says where that is from, and not what it is", async () => {
    const { add, registry } = await closed();
    const variable = variableOf(registry.host);
    const failed = await add(undefined, { credentials: credentialsOf({ [variable]: "wr0ng" }) }).catch(String);
    expect(failed).toContain(`The server rejects the token of ${variable}`);
    expect(failed).not.toContain("wr0ng");
  });

  test.each(["s3cr3t\ntoken", "s3cr3t-t\u014dken", "s3cr3t\u0000"])(
    "with the token %j, which no request can have, says where that is from, and not what it is",
    async (token) => {
      const { add, registry } = await closed();
      const variable = variableOf(registry.host);
      const failed: unknown = await add(undefined, { credentials: credentialsOf({ [variable]: token }) }).catch(
        (error) => error,
      );
      expect(failed).toMatchObject({
        code: "PROVIDER_MISSING",
        message: expect.stringContaining(`the token of ${variable} has a character`),
      });
      expect(inspect(failed)).not.toContain("s3cr3t");
      expect(registry.paths).toEqual([]);
    },
  );

  test("that leads elsewhere takes no token there", async () => {
    const { add, registry } = await closed();
    const other = await localRegistry([{ version: "1.2.0" }], await newKey());
    try {
      registry.fault = (path, response) =>
        path.endsWith("/versions") &&
        Boolean(response.writeHead(302, { location: `http://${other.host}${path}` }).end());
      const credentials = credentialsOf({ [variableOf(registry.host)]: TOKEN });
      await add(undefined, { credentials, patience: IMPATIENT });
      expect([other.paths, other.said]).toEqual([["/v1/acme/thing/versions"], [undefined]]);
    } finally {
      await other.close();
    }
  });

  test("whose service document names another host takes no token there", async () => {
    const { add, registry } = await closed();
    const key = await newKey();
    const other = await localRegistry([{ version: "1.2.0" }], key);
    try {
      registry.fault = (path, response) =>
        path.endsWith("/terraform.json") &&
        Boolean(response.end(JSON.stringify({ "providers.v1": `http://${other.host}/v1/` })));
      const credentials = credentialsOf({ [variableOf(registry.host)]: TOKEN });
      await add(undefined, { credentials, patience: IMPATIENT });
      expect([...new Set(registry.said)]).toEqual([`Bearer ${TOKEN}`]);
      expect(other.paths).toContain("/v1/acme/thing/versions");
      expect(other.said.filter((one) => one !== undefined)).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describe("the token of a host", () => {
  const hcl = (token: string) => `credentials "registry.example.com" {\n  token = "${token}"\n}\n`;
  const json = (token: string) => JSON.stringify({ credentials: { "registry.example.com": { token } } });

  async function homeFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "terraform-settings-"));
    undo.push(() => rm(folder, { recursive: true }));
    return folder;
  }

  /** @param files in the home folder */
  async function tokenOf(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
    const folder = await homeFolder();
    const there = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace("~", folder)]));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const found = await credentialsOf({ HOME: folder, ...there }, "linux").tokenFor("registry.example.com");
    return found && { token: found.token, from: found.from.replace(folder, "~") };
  }

  test.each([
    [".tofurc", hcl],
    [".terraformrc", hcl],
    [".terraformrc", json],
    [".terraform.d/credentials.tfrc.json", json],
    [".terraform.d/own.tfrc", hcl],
  ])("is in ~/%s", async (name, text) => {
    expect(await tokenOf({ [name]: text("one") })).toEqual({ token: "one", from: `~/${name}` });
  });

  test("is in the folder for settings where the home folder has none of these", async () => {
    const env = { XDG_CONFIG_HOME: "~/.config" };
    const [file, own] = [".config/opentofu/tofurc", ".config/opentofu/credentials.tfrc.json"];
    expect(await tokenOf({ [file]: hcl("one") }, env)).toEqual({ token: "one", from: `~/${file}` });
    expect(await tokenOf({ [own]: json("two") }, env)).toEqual({ token: "two", from: `~/${own}` });
    expect(await tokenOf({ [file]: hcl("one"), ".tofurc": "" }, env)).toBeUndefined();
  });

  test("is that of its variable first, then that of the folder, then that of the newer file", async () => {
    const files = {
      ".terraformrc": hcl("older"),
      ".tofurc": hcl("newer"),
      ".terraform.d/credentials.tfrc.json": json("login"),
    };
    expect(await tokenOf(files, { TF_TOKEN_registry_example_com: "variable" })).toMatchObject({ token: "variable" });
    expect(await tokenOf(files)).toMatchObject({ token: "login" });
    expect(await tokenOf({ ...files, ".terraform.d/credentials.tfrc.json": "{}" })).toMatchObject({ token: "newer" });
  });

  test("is that of the file alone that a variable names", async () => {
    const files = { ".tofurc": hcl("usual"), "ci.tfrc": "" };
    expect(await tokenOf(files, { TF_CLI_CONFIG_FILE: "~/ci.tfrc" })).toBeUndefined();
    expect(await tokenOf({ "ci.tfrc": hcl("ci") }, { TERRAFORM_CONFIG: "~/ci.tfrc" })).toMatchObject({ token: "ci" });
  });

  test("is found among all that such a file may have", async () => {
    const text = `# credentials "registry.example.com" { token = "comment" }
/* credentials "registry.example.com" { token = "comment" } */
plugin_cache_dir = "$HOME/{cache}" // }
provider_installation {
  direct { exclude = ["registry.example.com/*/*"] }
  credentials "registry.example.com" { token = "nested" }
}
host "registry.example.com" { services = { "providers.v1" = "https://example.com/" } }
credentials "other.example.com" {
  token = "other"
}
credentials "Registry.Example.com" = {
  "note" = "}"
  token  = "a\\"b\\\\c"
}
`;
    expect(await tokenOf({ ".tofurc": text })).toEqual({ token: 'a"b\\c', from: "~/.tofurc" });
  });

  test("is in a variable whose name stands for dots and hyphens, too", async () => {
    expect(variableOf("my-registry.example.com")).toBe("TF_TOKEN_my__registry_example_com");
    for (const name of [variableOf("my-registry.example.com"), "TF_TOKEN_my-registry.example.com"]) {
      expect(await credentialsOf({ [name]: "one" }).tokenFor("my-registry.example.com")).toMatchObject({ from: name });
    }
  });

  test("is an error where a file cannot be read, or is no JSON, and says nothing of what is in it", async () => {
    const broken = `{"credentials": {"registry.example.com": {"token": "${TOKEN}"`;
    const failed = await tokenOf({ ".terraform.d/credentials.tfrc.json": broken }).catch(String);
    expect(failed).toMatch(/credentials\.tfrc\.json, which may hold tokens of registries, is not valid JSON/);
    expect(failed).not.toContain(TOKEN);
    const folder = await homeFolder();
    await mkdir(join(folder, ".tofurc"));
    const reading = credentialsOf({ HOME: folder }, "linux").tokenFor("registry.example.com");
    await expect(reading).rejects.toThrow("cannot be read");
  });

  test("is on Windows where its programs have their settings", async () => {
    const folder = await homeFolder();
    await writeFile(join(folder, "tofu.rc"), hcl("one"));
    const found = await credentialsOf({ APPDATA: folder }, "win32").tokenFor("registry.example.com");
    expect(found).toMatchObject({ token: "one" });
  });
});
