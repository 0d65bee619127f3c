/**
 * The time of `engine state list` on a stage of many resources, beside bare node. In turns, medians. Needs a build.
 *
 *   npm run bench:start -- [--n 1000] [--runs 11]
 */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fsStore } from "../../adapters/fs/index.js";
import { Resource } from "../../core/resource/index.js";
import { createEngine } from "../../plugins/engine/index.js";

const { values } = parseArgs({
  options: { n: { type: "string", default: "1000" }, runs: { type: "string", default: "11" } },
});
const n = Number(values.n);
const main = fileURLToPath(new URL("../../dist/plugins/cli/main.js", import.meta.url));

const Item = Resource<{ id: string }, { size: number; tags: readonly string[] }>("bench:Item", {
  create: ({ id }) => ({ id }),
  delete: () => {},
});

const rootDir = await mkdtemp(join(tmpdir(), "bench-start-"));
const engine = createEngine();
const app = await engine("bench", { stage: "dev", argv: [], env: {}, rootDir, stateStore: fsStore() });
await app.run(async () => {
  for (let index = 0; index < n; index++) await Item(`r${index}`, { size: index, tags: ["a", "b"] });
});
await app.finalize();

const program = 'import { engine } from "scope-engine"; const app: unknown = await engine("bench", { stage: "dev" });';
await writeFile(join(rootDir, "program.ts"), program);
await mkdir(join(rootDir, "node_modules"));
await symlink(fileURLToPath(new URL("../..", import.meta.url)), join(rootDir, "node_modules/scope-engine"), "dir");

const list = ["state", "list", "--app=bench", "--stage=dev"];
const WORK: Readonly<Record<string, readonly string[]>> = {
  "bare node": ["-e", "0"],
  "engine --version": [main, "--version"],
  "engine state list": [main, ...list],
  "engine state list --json": [main, ...list, "--json"],
  "... of a program in TypeScript": [main, "state", "list", "--entry=program.ts"],
};

const times = new Map(Object.keys(WORK).map((name) => [name, [] as number[]]));
for (let run = 0; run < Number(values.runs); run++) {
  for (const [name, args] of Object.entries(WORK)) {
    const started = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: rootDir, encoding: "utf8" });
    if (status !== 0) throw new Error(`"${name}" ended with ${status}:\n${stderr}`);
    times.get(name)?.push(performance.now() - started);
  }
}
await rm(rootDir, { recursive: true });

const bare = median(times.get("bare node") ?? []);
console.log(`${n} resources, Node ${process.version}`);
for (const [name, all] of times) {
  const time = median(all);
  console.log(
    `${name.padEnd(30)} ${time.toFixed(0).padStart(5)} ms   ${(time - bare).toFixed(0).padStart(5)} ms over bare node`,
  );
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
}
