/** A program that a bundler has put into one file with the engine runs without any package. */
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build as esbuild } from "esbuild";
import { rolldown } from "rolldown";
import { build as vite } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PEERS } from "../servers/packed.ts";
import { copyOfInstalled } from "./consumer.ts";
import { describePacked } from "./given-packed.ts";

/** It uses a store in a bucket, whose client it does not have, only if an argument says so. */
const program = `
import { engine } from "scope-engine";
import { s3Store } from "scope-engine/adapters/s3";
import { File } from "scope-engine/resources";

const bucket = process.env.BUCKET;
const app = await engine("bundled", { stage: "t", ...(bucket === undefined ? {} : { stateStore: s3Store({ bucket }) }) });
await File("index", { path: "index.html", content: "hello" });
await app.finalize();
`;

const bundlers: Readonly<Record<string, (entry: string, file: string) => Promise<unknown>>> = {
  // As docs/guide/limits.md says: tapable loads a module of Node by `require`.
  esbuild: (entry, file) =>
    esbuild({
      entryPoints: [entry],
      outfile: file,
      bundle: true,
      format: "esm",
      platform: "node",
      logLevel: "silent",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    }),
  async rolldown(entry, file) {
    const build = await rolldown({ input: entry, platform: "node", onLog: () => {} });
    await build.write({ file, format: "esm", codeSplitting: false });
    await build.close();
  },
  Vite: (entry, file) =>
    vite({
      root: join(entry, ".."),
      configFile: false,
      logLevel: "silent",
      ssr: { noExternal: true },
      build: {
        ssr: entry,
        outDir: join(file, ".."),
        emptyOutDir: false,
        minify: false,
        rolldownOptions: { output: { entryFileNames: "app.mjs", codeSplitting: false } },
      },
    }),
};

describePacked("a program and the engine in one file", ({ packages }) => {
  let project = "";
  let remove = async (): Promise<void> => {};
  beforeAll(async () => {
    const consumer = await copyOfInstalled(packages, PEERS);
    ({ folder: project, remove } = consumer);
    await consumer.write("app.ts", program);
  });
  afterAll(() => remove());

  test.each(Object.keys(bundlers))("made by %s runs by itself", { timeout: 120_000 }, async (name) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-bundled-")));
    try {
      await bundlers[name]?.(join(project, "app.ts"), join(folder, "app.mjs"));
      expect(await readdir(folder)).toEqual(["app.mjs"]);
      const run = (env: NodeJS.ProcessEnv = {}) =>
        execFileSync(process.execPath, ["app.mjs"], {
          cwd: folder,
          encoding: "utf8",
          env: { PATH: process.env.PATH, ...env },
        });
      expect(run()).toContain("1 created");
      expect(run()).toContain("1 unchanged");
      expect(await readFile(join(folder, "index.html"), "utf8")).toBe("hello");
      expect(() => run({ BUCKET: "b", AWS_REGION: "us-east-1" })).toThrow(/npm install @aws-sdk\/client-s3/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
