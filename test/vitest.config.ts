import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { COMPILED, compiledSources } from "./compiled-sources.js";
import { registryEnv } from "./helpers/processes/registry-env.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const isLong = process.env.LONG !== undefined;

/** Examples and their tests import the package by its name, as users do; here the name means the sources. */
const alias = [
  { find: /^scope-engine$/, replacement: `${root}plugins/index.ts` },
  { find: /^scope-engine\/core$/, replacement: `${root}plugins/engine/index.ts` },
  { find: /^scope-engine\/admin$/, replacement: `${root}plugins/admin/index.ts` },
  { find: /^scope-engine\/fleet$/, replacement: `${root}plugins/fleet/index.ts` },
  { find: /^scope-engine\/resources$/, replacement: `${root}plugins/resources/index.ts` },
  { find: /^scope-engine\/(plugins|adapters)\/(.+)$/, replacement: `${root}$1/$2/index.ts` },
];

const MATRIX = "test/**/*.matrix.test.ts";
/** They change their process (environment, signals, modules of Node), so each has a process of its own. */
const ISOLATED = ["test/isolated/**/*.test.ts", "test/simulation/**/*.test.ts"];
const PROPERTIES = "test/**/*.properties.test.ts";

/**
 * `npm test` runs the first, `test:rest` the second; without a tier everything runs. Properties try more cases in the
 * matrix.
 */
const tier = process.env.TEST_TIER ?? "all";
const shared = { test: ["test/**/*.test.ts"], rest: [PROPERTIES], all: ["test/**/*.test.ts"] }[tier] ?? [];
const isolated = { test: ISOLATED, rest: [MATRIX], all: [...ISOLATED, MATRIX] }[tier] ?? [];
/** The matrix is not for `npm test`, and one file of it takes an hour. */
const left = tier === "test" ? [MATRIX] : isLong ? [] : ["test/simulation/simulation.matrix.test.ts"];

/** Coverage and changes while watching need the sources to come through Vite. */
const isWhole = process.argv.includes("run") && !process.argv.some((argument) => argument.startsWith("--coverage"));

/** The engine remembers facts about the machine in this folder. Each run of the tests begins with an empty one. */
if (process.env.TEST_MACHINE === undefined) {
  const machine = mkdtempSync(join(tmpdir(), "machine-"));
  process.env.TEST_MACHINE = machine;
  process.once("exit", () => rmSync(machine, { recursive: true, force: true, maxRetries: 5 }));
}

/** Starts the longest files first, so that none of them is left alone at the end. */
const LONGEST = ["test/simulation/", "test/isolated/", "test/e2e/", "test/adapters/", "test/plugins/cli/"];
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((folder) => relative(root, moduleId).startsWith(folder));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  resolve: { alias },
  plugins: isWhole ? [compiledSources(root)] : [],
  test: {
    server: { deps: { external: [COMPILED] } },
    projects: [
      {
        extends: true,
        test: {
          name: "isolated",
          include: isolated,
          exclude: [...configDefaults.exclude, ...left],
          globalSetup: "test/servers/global-setup.ts",
          pool: "forks",
        },
      },
      {
        extends: true,
        test: {
          name: "shared",
          include: shared,
          exclude: [...configDefaults.exclude, MATRIX, ...ISOLATED],
          globalSetup: "test/servers/global-setup.ts",
          pool: "forks",
          isolate: false,
          setupFiles: "test/setup.ts",
        },
      },
    ],
    sequence: { sequencer: LongestFirst },
    // More than the cores of a small machine: some file always waits, for a server or for time to pass. In the matrix
    // more do.
    maxWorkers: tier === "rest" ? 4 : 3,
    testTimeout: isLong ? 600_000 : 120_000,
    hookTimeout: isLong ? 600_000 : 120_000,
    // An awaited event arrives when a busy machine gets to it.
    expect: { poll: { timeout: 60_000 } },
    // A run inside another tool's watch mode, or in a stage of yours, must not show in the tests.
    env: {
      ENGINE_STAGE: "",
      ENGINE_PASSWORD: "",
      STAGE: "",
      // Node reads the certificates at each start, which takes longer than the rest of the start.
      NODE_EXTRA_CA_CERTS: "",
      TEST_CERTIFICATES: registryEnv().NODE_EXTRA_CA_CERTS ?? "",
      XDG_STATE_HOME: process.env.TEST_MACHINE,
    },
    passWithNoTests: false,
    coverage: { provider: "v8", include: ["core/**", "plugins/**", "adapters/**"], reportsDirectory: "coverage" },
  },
});
