import { dirname } from "node:path";
import { expect, test } from "vitest";
import { manifest, packageEntries } from "../house/package-exports.ts";
import { sourceFiles } from "../house/project.ts";
import { describePacked } from "./given-packed.ts";
import { bundled, packagesOf } from "./loading.ts";

const names = packageEntries(manifest(), sourceFiles()).map(({ specifier }) => specifier);
const adapters = names.filter((name) => name.includes("/adapters/"));
const programs = names.filter((name) => !adapters.includes(name));

describePacked("what is loaded", ({ packages }) => {
  const project = dirname(packages);

  test.each(programs)("with %s is tapable and mitt, of all packages, and what it is named after", async (name) => {
    const own = name.endsWith("/open-telemetry") ? ["@opentelemetry/api"] : [];
    expect([...own, "mitt", "tapable"]).toEqual(expect.arrayContaining(await packagesOf(name, project)));
  });

  test.each(["scope-engine", "scope-engine/core"])("with %s is both of them", async (name) => {
    expect(await packagesOf(name, project)).toEqual(["mitt", "tapable"]);
  });

  test.each(adapters)("with %s is no driver before it is used, but Keyv with its own adapter", async (name) => {
    const engine = ["mitt", "tapable"];
    const loaded = (await packagesOf(name, project)).filter((one) => !engine.includes(one));
    expect(loaded).toEqual(name.endsWith("/keyv") ? ["@keyv/serialize", "keyv"] : []);
  });

  test("later is seen when one asks for that", async () => {
    expect(await packagesOf("scope-engine/adapters/s3", project, "all")).toContain("@aws-sdk/client-s3");
  });

  test.each(names)("of %s is nothing where it is imported for nothing", async (name) => {
    expect(await bundled(`import ${JSON.stringify(name)};`, project)).toBe("");
    expect(await bundled(`import * as unused from ${JSON.stringify(name)};`, project)).toBe("");
  });
});
