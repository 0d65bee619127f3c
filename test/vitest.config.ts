import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { registryEnv } from "./helpers/registry-env.js";
import { testFiles } from "./runner/company.js";
import { COMPILED, compiledSources } from "./runner/compiled-sources.js";
import { machineOfRun } from "./runner/machine.js";
import { Sequence } from "./runner/sequence.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const long = process.env.LONG !== undefined;

/** Examples and their tests import the package by its name, as users do; here that means the sources. */
const alias = [
  { find: /^scope-engine$/, replacement: `${root}plugins/index.ts` },
  { find: /^scope-engine\/core$/, replacement: `${root}core/index.ts` },
  { find: /^scope-engine\/admin$/, replacement: `${root}plugins/admin/index.ts` },
  { find: /^scope-engine\/resources$/, replacement: `${root}plugins/resources/index.ts` },
  { find: /^scope-engine\/(plugins|adapters)\/(.+)$/, replacement: `${root}$1/$2/index.ts` },
];

/**
 * What `npm test` runs; the rest, which takes longer; or both, where somebody names the files. What is tried on random cases runs in
 * each, and has more of them in the rest.
 */
const TIERS: Readonly<Record<string, { readonly include: string[]; readonly exclude: string[] }>> = {
  test: { include: ["test/**/*.test.ts"], exclude: ["test/**/*.matrix.test.ts"] },
  rest: { include: ["test/**/*.{matrix,properties}.test.ts"], exclude: [] },
  all: { include: ["test/**/*.test.ts"], exclude: [] },
};
const tier = process.env.TEST_TIER ?? "all";
const { include, exclude } = TIERS[tier] ?? { include: [], exclude: [] };
const all = testFiles(root);
const inTier = (file: string): boolean => tier !== "rest" || /\.(matrix|properties)\.test\.ts$/.test(file);
const [pure, shared] = [all.pure.filter(inTier), all.shared.filter(inTier)];
/** Is lived through in an hour. */
const heavy = long ? [] : ["test/simulation/simulation.matrix.test.ts"];
const left = [...configDefaults.exclude, ...exclude, ...heavy];

/** Where each line is counted, or sources change meanwhile, they have to come through Vite. */
const isWhole = process.argv.includes("run") && !process.argv.some((argument) => argument.startsWith("--coverage"));

export default defineConfig({
  resolve: { alias },
  plugins: isWhole ? [compiledSources(root)] : [],
  test: {
    server: { deps: { external: [COMPILED] } },
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: pure,
          exclude: left,
          pool: "threads",
          isolate: false,
          setupFiles: "test/runner/company-setup.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "shared",
          include: shared,
          exclude: left,
          globalSetup: "test/servers/global-setup.ts",
          pool: "forks",
          isolate: false,
          setupFiles: "test/runner/company-setup.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "isolated",
          include,
          exclude: [...left, ...pure, ...shared],
          globalSetup: "test/servers/global-setup.ts",
          // One process a file: signals, environment and the current scope belong to a process.
          pool: "forks",
        },
      },
    ],
    sequence: { sequencer: Sequence },
    // More than the cores of a small machine: there is always a file that only waits, for a server or for time to pass. In the rest
    // more of them do.
    maxWorkers: tier === "rest" ? 4 : 3,
    testTimeout: long ? 600_000 : 120_000,
    hookTimeout: long ? 600_000 : 120_000,
    // What is waited for comes when a busy machine comes to it.
    expect: { poll: { timeout: 60_000 } },
    // A run inside another tool's watch mode, or in somebody's stage, must not show in the tests.
    env: {
      ENGINE_STAGE: "",
      ENGINE_PASSWORD: "",
      STAGE: "",
      // Each start of Node reads them where they are named, in more time than all else of it; who installs packages has them.
      NODE_EXTRA_CA_CERTS: "",
      TEST_CERTIFICATES: registryEnv().NODE_EXTRA_CA_CERTS ?? "",
      // What the engine keeps of this machine is none of its user's.
      XDG_STATE_HOME: machineOfRun(`${root}node_modules/.cache/scope-engine-tests/machine`),
    },
    passWithNoTests: false,
    coverage: { provider: "v8", include: ["core/**", "plugins/**", "adapters/**"], reportsDirectory: "coverage" },
  },
});
