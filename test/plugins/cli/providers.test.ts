import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type AddRequest, add, type ProviderWork } from "../../../plugins/cli/providers/add.ts";
import { listProviders } from "../../../plugins/cli/providers/print-providers.js";
import { update } from "../../../plugins/cli/providers/update.ts";
import { readLock } from "../../../plugins/terraform/registry/index.js";
import type { Project } from "../../helpers/processes/engine-project.ts";
import { attribute, largeSchema, providerSchema, schemaOf } from "../terraform/generate/schemas.ts";
import type { Release } from "../terraform/registry/local-registry.ts";
import { IMPATIENT, type Workshop, workshop } from "../terraform/registry/workshop.ts";

let shop: Workshop | undefined;
let project: Project | undefined;
afterEach(async () => {
  await shop?.close();
  await project?.remove();
  [shop, project] = [undefined, undefined];
});

const small = providerSchema({
  resources: {
    thing_box: schemaOf({ attributes: { name: attribute("string", "required") } }),
    thing_lid: schemaOf({}),
  },
  dataSources: { thing_boxes: schemaOf({}) },
});

/** @param schemas by version */
async function at(releases: readonly Release[], schemas: Readonly<Record<string, typeof small>> = {}) {
  const made = await workshop(releases);
  shop = made;
  const lines: string[] = [];
  const { folder, root, lockFile, name } = made;
  const work: ProviderWork = {
    root,
    project: { entry: undefined, folder, lockFile },
    patience: IMPATIENT,
    schemaOf: async (executable) => {
      const [, version = ""] = /_v([\d.]+)$/.exec(executable) ?? [];
      return { protocol: 5, schema: schemas[version] ?? small };
    },
    usedIn: () => [],
    print: (line) => void lines.push(line.replaceAll(name, "NAME").replace(/\S*\/(?=engine\.lock|providers\/)/, "")),
    report: (line) => void lines.push(line),
  };
  const run = (request: Partial<AddRequest>) => add({ source: name, names: [], used: false, ...request }, work);
  const module = () => readFile(join(folder, "providers/thing.ts"), "utf8");
  return { ...made, work, lines, run, module };
}

describe("engine add", () => {
  test("writes all types of a small provider, and locks it", async () => {
    const { run, lines, module, lockFile, name } = await at([{ version: "1.2.0" }]);
    await run({});
    expect(lines.filter((line) => !line.startsWith("Downloading"))).toEqual([
      "locked   NAME 1.2.0: engine.lock.json",
      "written  providers/thing.ts: 2 resources, 1 data source",
    ]);
    expect(await module()).toContain("box(id: string, props: Input<BoxProps>");
    expect(readLock(lockFile)[name]).toMatchObject({ version: "1.2.0", range: "^1.2.0" });
  });

  test("adds what is named to what is there, and keeps the version that is locked", async () => {
    const { run, lines, module, registry } = await at([{ version: "1.2.0" }]);
    await run({ names: ["box"] });
    expect(await module()).not.toContain("lid(");
    registry.releases = [{ version: "1.2.0" }, { version: "1.3.0" }];
    await run({ names: ["thing_lid", "data.*"] });
    expect(lines.slice(-2)).toEqual([
      "locked   NAME 1.2.0: engine.lock.json",
      "written  providers/thing.ts: 2 resources, 1 data source",
    ]);
    await run({});
    expect(lines.at(-1)).toBe("current  providers/thing.ts: 2 resources, 1 data source");
  });

  test("writes the configuration alone of a large provider of which nothing is named", async () => {
    const { run, lines } = await at([{ version: "1.2.0" }], { "1.2.0": largeSchema(100) });
    await run({});
    expect(lines.at(-2)).toBe("written  providers/thing.ts: only the configuration");
    expect(lines.at(-1)).toContain("offers 100 types and functions. Name the ones you need");
  });

  test("overwrites no foreign file", async () => {
    const { run, folder, work } = await at([{ version: "1.2.0" }]);
    await mkdir(join(folder, "providers"));
    await writeFile(join(folder, "providers/thing.ts"), "export {};\n");
    await expect(run({})).rejects.toMatchObject({ code: "FILE_EXISTS" });
    expect(readLock(work.project.lockFile)).toEqual({});
    await run({ out: join(folder, "other.ts") });
    expect(await readFile(join(folder, "other.ts"), "utf8")).toContain("export function thing(");
  });

  test("locks nothing where the provider cannot be started, or has not what is named", async () => {
    const { run, lockFile, work, name } = await at([{ version: "1.2.0" }]);
    await expect(run({ names: ["bax"] })).rejects.toThrow('has no "bax". Available: box');
    const broken = { ...work, schemaOf: () => Promise.reject(new Error("no")) };
    await expect(add({ source: name, names: [], used: false }, broken)).rejects.toThrow("no");
    expect(readLock(lockFile)).toEqual({});
  });

  test("takes the protocol from the provider where nothing else tells it", async () => {
    const { run, folder, lockFile, lines } = await at([]);
    await writeFile(join(folder, "terraform-provider-thing"), "");
    await run({ source: join(folder, "terraform-provider-thing") });
    expect(readLock(lockFile)).toEqual({
      "./terraform-provider-thing": { version: "0.0.0", range: "*", protocols: ["5.0"], hashes: [] },
    });
    expect(lines.at(0)).toBe("locked   ./terraform-provider-thing 0.0.0: engine.lock.json");
  });

  test("adds what the program uses, as far as the provider has it", async () => {
    const { run, work, module, lines } = await at([{ version: "1.2.0" }]);
    await run({ names: ["data.boxes"] });
    const reading = { ...work, usedIn: () => ["box", "then", "data.nothing"] };
    await add({ source: undefined, names: [], used: true }, reading);
    expect(await module()).toContain('"resources":["box"],"dataSources":["boxes"]');
    expect(lines.at(-1)).toBe("written  providers/thing.ts: 1 resource, 1 data source");
  });

  test("without a provider says how to name one", async () => {
    const { work } = await at([]);
    await expect(add({ source: undefined, names: [], used: false }, work)).rejects.toThrow("cyrilgdn/postgresql");
  });
});

describe("engine providers", () => {
  const newer = providerSchema({ resources: { thing_box: small.resources.thing_box ?? schemaOf({}) } });

  test("update takes the newest in the range, and says what its types have no more", async () => {
    const { run, work, lines, registry, lockFile, name } = await at([{ version: "1.2.0" }], { "1.3.0": newer });
    await run({});
    registry.releases = [{ version: "1.2.0" }, { version: "1.3.0" }, { version: "2.0.0" }];
    await update(undefined, work);
    expect(lines.slice(-3)).toEqual([
      "locked   NAME 1.3.0: engine.lock.json",
      "written  providers/thing.ts: 1 resource",
      "left out, because this version of the provider no longer has them: lid, boxes",
    ]);
    await update(name, work);
    expect(lines.at(-1)).toBe("current  NAME 1.3.0, the newest in ^1.2.0");
    await update(`${name}@2`, work);
    expect(readLock(lockFile)[name]).toMatchObject({ version: "2.0.0", range: "2" });
    await expect(update("a/b", work)).rejects.toThrow("Add it: engine add a/b");
  });

  test("list says what is in the cache and what is newest, whatever a registry does", async () => {
    const { run, work, registry, name } = await at([{ version: "1.2.0" }]);
    expect(await listProviders({ ...work, newest: true })).toEqual([]);
    await run({});
    registry.releases = [{ version: "1.2.0" }, { version: "1.3.0" }];
    const one = { source: name, range: "^1.2.0", version: "1.2.0", standing: "cached" };
    expect(await listProviders({ ...work, newest: true })).toEqual([{ ...one, newest: "1.3.0" }]);
    registry.releases = [];
    const problem = expect.stringContaining("No version of");
    expect(await listProviders({ ...work, newest: true })).toEqual([{ ...one, problem }]);
    expect(await listProviders({ ...work, root: join(work.root, "other") })).toEqual([{ ...one, standing: "absent" }]);
  });

  test("verify finds what was changed in the cache, and what the lock file does not mean", async () => {
    const { run, work, lockFile, cached, root, registry } = await at([{ version: "1.2.0" }]);
    await run({});
    expect((await listProviders(work))[0]?.standing).toBe("cached");
    const lock = await readFile(lockFile, "utf8");
    await writeFile(lockFile, lock.replaceAll(/"(zh|h1):[^"]+"/g, `"zh:${"0".repeat(64)}"`));
    expect((await listProviders(work))[0]?.standing).toBe("other");
    await writeFile(lockFile, lock);
    const [file = ""] = (await cached()).filter((path) => path.endsWith("LICENSE"));
    await appendFile(join(root, file.replace("HOST", registry.host.replace(":", "_"))), "x");
    expect((await listProviders(work))[0]?.standing).toBe("other");
  });
});
