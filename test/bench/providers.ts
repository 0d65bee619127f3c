/**
 * 1,000 resources of a provider, by `engine up` and by `tofu apply`, in turns: whole commands, from start to end.
 * The provider is that of the tests; each side has a world of its own, and ten run at once. The report shows the
 * engine's overhead beside the same requests to a bare provider: the aim is at most 2 ms a resource.
 *
 *   npm run bench:providers [-- ROUNDS]
 */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { launchProvider } from "../../plugins/terraform/protocol/index.js";
import { impliedType } from "../../plugins/terraform/schema/index.js";
import { providerConfig } from "../plugins/terraform/fixture/provider.ts";
import { versioned } from "../plugins/terraform/fixture/types/states.ts";
import { tofuIn } from "../plugins/terraform/tofu.ts";

const COUNT = 1_000;
const AT_ONCE = 10;
const TYPE = "fixture_versioned";
const PROVIDER = "./terraform-provider-fixture";
const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** A path from which it finds its packages. */
const fixture = join(root, "node_modules/.cache/scope-engine-tests/fixture-provider.mjs");

async function compile(): Promise<void> {
  const build = await rolldown({
    input: join(root, "test/plugins/terraform/fixture/provider.child.ts"),
    platform: "node",
    external: [/^@grpc\//, /^protobufjs/],
  });
  await build.write({ file: fixture, format: "esm", codeSplitting: false });
  await build.close();
}

interface Side {
  create(): Promise<unknown>;
  unchanged(): Promise<unknown>;
  destroy(): Promise<unknown>;
}

const PROGRAM = `
import { readFileSync } from "node:fs";
import { engine } from "scope-engine";
import { provider } from "scope-engine/terraform";

const fixture = provider(JSON.parse(readFileSync("definition.json", "utf8")));
const app = await engine("bench", { concurrency: ${AT_ONCE} });
const { versioned } = fixture();
await Promise.all(Array.from({ length: ${COUNT} }, (_, index) => versioned(\`r\${index}\`, { name: \`n\${index}\` })));
await app.finalize();
`;

async function ours(folder: string): Promise<Side> {
  const definition = {
    source: PROVIDER,
    range: "*",
    version: "0.0.0",
    capabilities: { planDestroy: false, schemaOptional: true, moveResourceState: false },
    config: JSON.stringify(providerConfig),
    resources: { versioned: { type: TYPE, schema: JSON.stringify(versioned.schema) } },
    dataSources: {},
    ephemeral: {},
    functions: {},
  };
  const lock = { providers: { [PROVIDER]: { range: "*", version: "0.0.0", protocols: ["6.0"], hashes: [] } } };
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules/scope-engine"));
  await writeFile(join(folder, "definition.json"), JSON.stringify(definition));
  await writeFile(join(folder, "engine.lock.json"), JSON.stringify(lock));
  await writeFile(join(folder, "engine.run.mjs"), PROGRAM);
  await writeFile(join(folder, PROVIDER), `#!/bin/sh\nexec ${process.execPath} ${fixture}\n`);
  await chmod(join(folder, PROVIDER), 0o755);
  const env = { ...process.env, FIXTURE_WORLD: join(folder, "world"), ENGINE_STAGE: "bench" };
  const engine = (...args: readonly string[]) =>
    run(process.execPath, [join(root, "dist/plugins/cli/main.js"), ...args], { cwd: folder, env, maxBuffer: 1e8 });
  const up = () => engine("up", "engine.run.mjs", "--quiet");
  return { create: up, unchanged: up, destroy: () => engine("destroy", "engine.run.mjs", "--yes", "--quiet") };
}

/** Starts the provider, and sends it the requests of a create, with no other work. */
async function askBare(folder: string): Promise<void> {
  const env = { FIXTURE_WORLD: join(folder, "world") };
  const client = await launchProvider({ command: process.execPath, args: [fixture], env, folder, log: () => {} });
  const type = impliedType(versioned.schema.block);
  const create = async (index: number): Promise<void> => {
    const config = { id: null, name: `n${index}`, size: null };
    await client.validateResource(TYPE, { type, value: config });
    const asked = { typeName: TYPE, type, prior: null, config };
    const { planned, plannedPrivate } = await client.plan({
      ...asked,
      proposed: config,
      priorPrivate: new Uint8Array(),
    });
    await client.apply({ ...asked, planned, plannedPrivate });
  };
  const indexes = Array.from({ length: COUNT }, (_, index) => index);
  const work = async (): Promise<void> => {
    for (let index = indexes.shift(); index !== undefined; index = indexes.shift()) await create(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await client.close();
}

async function theirs(folder: string): Promise<Side> {
  const tofu = await tofuIn(folder, {}, fixture);
  await tofu.configure(`resource "${TYPE}" "r" {\n  count = ${COUNT}\n  name = "n\${count.index}"\n}\n`);
  const apply = () => tofu.run("apply", "-auto-approve", `-parallelism=${AT_ONCE}`);
  return { create: apply, unchanged: apply, destroy: () => tofu.run("destroy", "-auto-approve") };
}

await compile();
const rounds = Number(process.argv[2] ?? 3);
const seconds: Record<string, number[]> = {};
const measured = async (key: string, act: () => Promise<unknown>): Promise<void> => {
  const start = performance.now();
  await act();
  seconds[key] ??= [];
  seconds[key].push((performance.now() - start) / 1_000);
};
const folder = await mkdtemp(join(tmpdir(), "bench-providers-"));
try {
  for (let round = 0; round < rounds; round++) {
    const bare = join(folder, `bare-${round}`);
    await mkdir(bare);
    await measured("bare", () => askBare(bare));
    for (const [name, make] of Object.entries({ ours, theirs })) {
      const own = join(folder, `${name}-${round}`);
      await mkdir(own);
      const side = await make(own);
      for (const step of ["create", "unchanged", "destroy"] as const) {
        await measured(`${step} ${name}`, () => side[step]());
      }
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
const median = (key: string): number => {
  const sorted = [...(seconds[key] ?? [])].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};
for (const step of ["create", "unchanged", "destroy"]) {
  const [one, other] = [median(`${step} ours`), median(`${step} theirs`)];
  console.log(
    `${step.padEnd(9)} ${COUNT}: engine ${one.toFixed(2)} s, tofu ${other.toFixed(2)} s, ratio ${(one / other).toFixed(2)}`,
  );
}
const added = ((median("create ours") - median("bare")) / COUNT) * 1_000;
console.log(`create beside bare questions (${median("bare").toFixed(2)} s): ${added.toFixed(2)} ms a resource more`);
