/**
 * Creates the tenants of the example, and the servers if there are none:
 *
 *     npm run example:tenants                 creates or updates all tenants
 *     npm run example:tenants -- drift        compares them with the servers
 *     npm run example:tenants -- destroy      deletes all tenants, and the servers that this program has started
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { missingPackages, startServers, stopServers } from "./servers/start.ts";
import tenants from "./tenants.run.ts";

const [command = "up"] = process.argv.slice(2);
const { PGHOST, RABBITMQ_URL } = process.env;
const hasServers = PGHOST !== undefined && RABBITMQ_URL !== undefined;
const missing = hasServers ? [] : await missingPackages();

if (!isCommand(command)) fail(`"${command}" is not a command. Use up, drift or destroy.`);
if (missing.length > 0) {
  fail(`The example needs PostgreSQL and RabbitMQ. Set PGHOST and RABBITMQ_URL (see README.md), or install them:
  apt-get install -y --no-install-recommends ${missing.join(" ")}`);
}

const rootDir = await home();
process.env.ENGINE_KEY ??= await keyIn(rootDir);
if (!hasServers) Object.assign(process.env, await startServers(rootDir));

const report = await tenants[command]({
  defaults: { rootDir },
  onStage: ({ stage, outcome, message = "" }) => console.log(`${outcome.padEnd(9)} ${stage} ${message}`.trimEnd()),
});
const { total, changed, unchanged, failed } = report.stages;
if (command === "destroy" && report.state === "done" && !hasServers) await stopServers(rootDir);
const drifted = command === "drift" ? changed : 0;
console.log(`${command} ${report.state}: ${changed} of ${total} changed, ${unchanged} unchanged, ${failed} failed`);
console.log(`state and files: ${rootDir}`);
if (report.state !== "done" || drifted > 0) process.exitCode = 1;

function isCommand(text: string): text is "up" | "drift" | "destroy" {
  return ["up", "drift", "destroy"].includes(text);
}

/** The folder of the state, the key, the proxy's files and the data of the servers. It belongs to this user. */
async function home(): Promise<string> {
  const folder = process.env.TENANTS_HOME ?? join(tmpdir(), "scope-engine-tenants");
  await mkdir(folder, { recursive: true });
  const { uid } = await stat(folder);
  if (process.getuid !== undefined && uid !== process.getuid())
    fail(`${folder} belongs to another user. Set TENANTS_HOME.`);
  await chmod(folder, 0o711); // PostgreSQL may run as another user
  return folder;
}

async function keyIn(folder: string): Promise<string> {
  const file = join(folder, "key");
  if (!existsSync(file)) {
    const cli = fileURLToPath(new URL("cli/main.js", import.meta.resolve("scope-engine")));
    await writeFile(file, execFileSync(process.execPath, [cli, "secrets", "generate-key"]), {
      mode: 0o600,
      flag: "wx",
    });
  }
  return (await readFile(file, "utf8")).trim();
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
