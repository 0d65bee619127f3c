/** The package managers that people install the package with, each from npm and outside the repository. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { registryEnv } from "../helpers/processes/registry-env.ts";
import { toolPackages } from "../helpers/processes/tools.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Manager {
  readonly name: string;
  /** Absent: it comes with Node. */
  readonly specifier?: string;
  /** Path of its program below `node_modules`. */
  readonly program?: string;
  /** Whether Node runs its program. */
  readonly isScript?: boolean;
  /** Arguments that add a tarball to a project. */
  add(tarball: string): readonly string[];
  /** The words before a program of an installed package. */
  readonly run: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const berry = (name: string, linker: string): Manager => ({
  name,
  specifier: "@yarnpkg/cli-dist@4.18.1",
  program: "@yarnpkg/cli-dist/bin/yarn.js",
  isScript: true,
  add: (tarball) => ["add", `scope-engine@file:${tarball}`],
  run: ["run"],
  env: { YARN_NODE_LINKER: linker },
});

export const managers: readonly Manager[] = [
  {
    name: "npm",
    add: (tarball) => ["install", "--no-audit", "--no-fund", "--prefer-offline", tarball],
    run: ["exec", "--offline", "--"],
  },
  {
    name: "pnpm",
    specifier: "pnpm@10.34.9",
    program: "pnpm/bin/pnpm.cjs",
    isScript: true,
    add: (tarball) => ["add", tarball],
    run: ["exec"],
  },
  {
    name: "Yarn 1",
    specifier: "yarn@1.22.22",
    program: "yarn/bin/yarn.js",
    isScript: true,
    add: (tarball) => ["add", `file:${tarball}`],
    run: ["run", "-s"],
  },
  berry("Yarn 4", "node-modules"),
  berry("Yarn 4 with Plug'n'Play", "pnp"),
  {
    name: "Bun",
    specifier: "@oven/bun-linux-x64@1.4.5",
    program: "@oven/bun-linux-x64/bin/bun",
    add: (tarball) => ["add", tarball],
    run: ["run"],
  },
];

/** Runs a package manager in a project; its caches go into `kept`. */
export async function runManager(
  manager: Manager,
  args: readonly string[],
  project: string,
  kept: string,
): Promise<Outcome> {
  const { specifier, program = "", isScript = false, env = {} } = manager;
  const path = specifier === undefined ? "npm" : join(await toolPackages(specifier), program);
  const registry = await configured("registry");
  const certificates = registryEnv().NODE_EXTRA_CA_CERTS;
  const outcome = await execute(isScript ? process.execPath : path, isScript ? [path, ...args] : args, project, {
    ...registryEnv(),
    ...env,
    // No manager asks, reports, or takes the tests' project for its workspace.
    CI: "true",
    NO_COLOR: "1",
    ENGINE_STAGE: "dev",
    npm_config_registry: registry,
    YARN_NPM_REGISTRY_SERVER: registry.replace(/\/$/, ""),
    YARN_UNSAFE_HTTP_WHITELIST: new URL(registry).hostname,
    ...(certificates ? { YARN_HTTPS_CA_FILE_PATH: certificates } : {}),
    YARN_ENABLE_TELEMETRY: "0",
    YARN_ENABLE_SCRIPTS: "0",
    YARN_ENABLE_IMMUTABLE_INSTALLS: "0",
    YARN_GLOBAL_FOLDER: join(kept, "yarn"),
    YARN_CACHE_FOLDER: join(kept, "yarn-cache"),
    XDG_DATA_HOME: join(kept, "data"),
    BUN_INSTALL_CACHE_DIR: join(kept, "bun"),
    DO_NOT_TRACK: "1",
  });
  // The address of the local registry is private.
  const masked = (text: string): string => text.replaceAll(registry.replace(/\/$/, ""), "(registry)");
  return { ...outcome, stdout: masked(outcome.stdout), stderr: masked(outcome.stderr) };
}

/** A setting of npm's own. */
async function configured(name: string): Promise<string> {
  const { stdout } = await execute("npm", ["config", "get", name], process.cwd(), process.env);
  return stdout.trim();
}

function execute(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, stdout, stderr });
    });
  });
}
