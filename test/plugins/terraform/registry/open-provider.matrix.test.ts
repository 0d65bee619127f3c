import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateModule, offeredBy } from "../../../../plugins/terraform/generate/index.js";
import { schemaOf } from "../../../../plugins/terraform/registry/index.js";
import { cwd as folder, folderEach } from "../../../e2e/own-folder.ts";
import { describeUnless, given } from "../../../servers/given.ts";
import { fixtureProgram } from "../fixture-provider.ts";
import { compile } from "../generate/compiled.ts";

const lacks = await given("compiled");
folderEach("open-provider");

describeUnless(lacks, "a provider that runs", () => {
  test("says its schema, of which all types make a module that compiles", async () => {
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
