import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { manifest, packageEntries } from "../house/package-exports.ts";
import { sourceFiles } from "../house/project.ts";
import { describePacked } from "./given-packed.ts";
import { bundled, packagesOf } from "./loading.ts";

const names = packageEntries(manifest(), sourceFiles()).map(({ specifier }) => specifier);
const adapters = names.filter((name) => name.includes("/adapters/"));
const rare = [
  "child_process",
  "dns",
  "http",
  "https",
  "inspector",
  "perf_hooks",
  "readline",
  "tls",
  "worker_threads",
  "zlib",
];
const programs = names.filter((name) => !adapters.includes(name));

describePacked("what is loaded", ({ packages }) => {
  const project = dirname(packages);
  let loaded: Awaited<ReturnType<typeof packagesOf>>;
  let unused: Awaited<ReturnType<typeof bundled>>;

  beforeAll(async () => {
    loaded = await packagesOf(names, project);
    const texts = names.flatMap((name) => [
      [name, `import ${JSON.stringify(name)};`],
      [`all of ${name}`, `import * as unused from ${JSON.stringify(name)};`],
    ]);
    unused = await bundled(Object.fromEntries(texts), project);
  });

  test.each(programs)("with %s is no package except those of hooks and events", (name) => {
    expect(loaded[name]).toEqual(["mitt", "tapable"]);
  });

  test.each(adapters)("with %s is no driver before it is used, except Keyv with its own adapter", (name) => {
    expect(loaded[name]).toEqual([...(name.endsWith("/keyv") ? ["@keyv/serialize", "keyv"] : []), "mitt", "tapable"]);
  });

  test("with an app is of Node's own parts none that only some programs need", () => {
    const program = `
      import { engine } from "scope-engine";

      const app = await engine("parts", { argv: [], env: {} });
      await app.finalize();
      const parts = process.moduleLoadList.map((one) => one.replace(/^NativeModule /, ""));
      console.log(JSON.stringify(parts.filter((one) => ${JSON.stringify(rare)}.includes(one))));
      process.exit(0);`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: project });
    expect(JSON.parse(output.toString().trim().split("\n").at(-1) ?? "")).toEqual([]);
  });

  test("later is seen when one asks for that", async () => {
    const s3 = "scope-engine/adapters/s3";
    expect((await packagesOf([s3], project, "all"))[s3]).toContain("@aws-sdk/client-s3");
  });

  test.each(names)("of %s is nothing if it is imported without use", (name) => {
    expect([unused[name], unused[`all of ${name}`]]).toEqual(["", ""]);
  });
});
