import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../helpers/checks/sampling.js";
import { toolPackages } from "../helpers/processes/tools.ts";
import { manifest, packageEntries } from "../house/package-exports.ts";
import { root, sourceFiles } from "../house/project.ts";
import { describePacked } from "./given-packed.ts";

/** The oldest version that the declarations are written for, common ones in between, and the newest. */
const compilers = ["5.6.3", "5.9.3", "6.0.3", "7.0.2"];

const resolutions = [
  { module: "NodeNext", moduleResolution: "NodeNext" },
  { module: "ESNext", moduleResolution: "Bundler" },
];

const entries = packageEntries(manifest(), sourceFiles());

/** Each is tried in one way, the newest in both; long runs try all. */
const onlyInLongRuns = ["5.6.3 Bundler", "5.9.3 NodeNext", "6.0.3 Bundler"];

/** Imports every entry, and uses the most common exports: one line of it is wrong. */
const program = `
${entries.map(({ specifier }, index) => `import * as entry${index} from "${specifier}";`).join("\n")}
import { engine, Resource, type Scope } from "scope-engine";
import { File } from "scope-engine/resources";

const Queue = Resource("t:Queue", {
  async create({ props }: { props: { readonly size: number } }) {
    return { url: "queue:" + props.size };
  },
});
const app: Scope = await engine("types", { stage: "t", argv: [], env: {} });
const queue = await Queue("q", { size: 1 });
const url: string = queue.url;
const file = await File("f", { path: url, content: "x" });
const path: string = file.path;
// @ts-expect-error A size is a number.
Queue("r", { size: "large" });
// @ts-expect-error A stage is a string.
await engine("y", { stage: 1 });
await app.finalize();
export const all = [path, ${entries.map((_, index) => `entry${index}`).join(", ")}];
`;

describePacked("the declarations", ({ packages }) => {
  let folder = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scope-engine-types-"));
    await symlink(packages, join(folder, "node_modules"), "dir");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const all = compilers.flatMap((version) => resolutions.map((resolution) => ({ version, ...resolution })));
  const cases = all.filter(
    ({ version, moduleResolution }) => isLong || !onlyInLongRuns.includes(`${version} ${moduleResolution}`),
  );
  test.each(cases)(
    "type-check with TypeScript $version under $moduleResolution",
    { timeout: 120_000 },
    async ({ version, module, moduleResolution }) => {
      const project = join(folder, `${version}-${moduleResolution}`);
      await mkdir(project);
      await writeFile(join(project, "package.json"), '{ "type": "module" }');
      await writeFile(join(project, "app.ts"), program);
      const compilerOptions = {
        target: "ES2022",
        lib: ["ES2022"],
        module,
        moduleResolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        // The full check doubles the time: it runs once with each of the two most common versions.
        skipLibCheck: !["6.0.3", "7.0.2"].includes(version),
        noEmit: true,
        types: ["node"],
        typeRoots: [join(root, "node_modules/@types")],
      };
      await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["app.ts"] }));
      const tsc = join(await toolPackages(`typescript@${version}`), "typescript/bin/tsc");
      const printed = await new Promise((resolve) => {
        execFile(process.execPath, [tsc, "-p", project], (_, stdout, stderr) => resolve(stdout + stderr));
      });
      expect(printed).toBe("");
    },
  );
});
