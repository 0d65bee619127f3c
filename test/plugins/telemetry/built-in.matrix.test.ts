import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { root } from "../../house/project.ts";

describe('a bundle of "scope-engine"', () => {
  it("has PostHog's client and what speaks with it apart, for when it is needed", async () => {
    const { metafile } = await build({
      entryPoints: [`${root}plugins/index.ts`],
      absWorkingDir: root,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      outdir: "dist",
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    const loaded = new Set<string>();
    const load = (path: string): void => {
      if (loaded.has(path)) return;
      loaded.add(path);
      for (const { path: next, kind } of metafile.outputs[path]?.imports ?? []) {
        if (kind === "import-statement") load(next);
      }
    };
    load("dist/index.js");
    const files = [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
    expect(files).toContain("plugins/telemetry/index.ts");
    expect(files.filter((file) => /posthog/.test(file))).toEqual([]);
    expect(Object.keys(metafile.inputs).some((file) => file.includes("posthog-node"))).toBe(true);
  });
});
