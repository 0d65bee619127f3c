import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { generateModule, offeredBy } from "../../../../plugins/terraform/generate/index.js";
import { schemaOf } from "../../../../plugins/terraform/registry/index.js";
import { describeUnless, given } from "../../../servers/given.ts";
import { fixtureProgram } from "../fixture-provider.ts";
import { compile } from "../generate/compiled.ts";

const lacks = await given("compiled");
let folder = "";
afterEach(() => rm(folder, { recursive: true, force: true }));

describeUnless(lacks, "a provider that runs", () => {
  test("says its schema, of which all types make a module that compiles", async () => {
    folder = await mkdtemp(join(tmpdir(), "open-provider-"));
    const program = join(folder, "terraform-provider-fixture");
    await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${fixtureProgram()}"\n`);
    await chmod(program, 0o755);
    const { protocol, schema } = await schemaOf(program);
    expect(protocol).toBe(6);
    const offered = offeredBy("fixture", schema);
    const all = Object.fromEntries(Object.entries(offered).map(([kind, names]) => [kind, [...names.keys()]]));
    const text = generateModule({
      source: "./terraform-provider-fixture",
      type: "fixture",
      range: "*",
      version: "0.0.0",
      schema,
      resources: all.resources ?? [],
      dataSources: all.dataSources ?? [],
      ephemeral: all.ephemeral ?? [],
      functions: all.functions ?? [],
    });
    expect(text).toContain("export function fixture(");
    const { errors, stdout } = await compile({ "fixture.ts": text });
    expect(errors, stdout).toEqual([]);
  });
});
