import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const door = join(import.meta.dirname, "../../../core/base/index.ts");

test("a program that a bundler makes CommonJS of fails with ERR_INVALID_URL, before its first line", async () => {
  const contents = `export { isOwnCode, ownFile, ownVersion } from ${JSON.stringify(door)};`;
  const made = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    format: "cjs",
    platform: "node",
    logLevel: "silent",
    write: false,
  });
  const module = { exports: {} };
  new Function("require", "module", "exports", made.outputFiles[0]?.text ?? "")(
    createRequire(import.meta.url),
    module,
    module.exports,
  );
  const { isOwnCode, ownFile, ownVersion } = module.exports as typeof import("../../../core/base/index.js");
  expect([ownVersion(), isOwnCode("at run (/app/bundle.cjs:1:1)")]).toEqual(["0.0.0", false]);
  expect(ownFile("package.json")).toBeInstanceOf(URL);
});
