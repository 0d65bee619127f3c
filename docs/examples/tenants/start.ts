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
import { engine } from "scope-engine";
import { missingPackages, startServers, stopServers } from "./servers/start.ts";
import { program } from "./tenant.ts";
import { readTenants } from "./tenants.ts";

const [command = "up"] = process.argv.slice(2);
const { PGHOST, RABBITMQ_URL } = process.env;
const hasServers = PGHOST !== undefined && RABBITMQ_URL !== undefined;
const missing = hasServers ? [] : await missingPackages();

if (!["up", "drift", "destroy"].includes(command)) fail(`"${command}" is not a command. Use up, drift or destroy.`);
if (missing.length > 0) {
  fail(`The example needs PostgreSQL and RabbitMQ. Set PGHOST and RABBITMQ_URL (see README.md), or install them:
  apt-get install -y --no-install-recommends ${missing.join(" ")}`);
}

const rootDir = await home();
process.env.ENGINE_KEY ??= await keyIn(rootDir);
if (!hasServers) Object.assign(process.env, await startServers(rootDir));

const tenants = await readTenants();
const results = await Promise.allSettled(
  tenants.map(async (tenant) => {
    const options = { stage: tenant.id, rootDir, argv: [] };
    if (command === "up") await engine.up("tenants", options, (app) => program(app, tenant));
    else if (command === "destroy") await engine.down("tenants", options);
    else {
      const { resources, errors } = await engine.drift("tenants", options);
      if (resources.length + errors.length > 0) throw new Error(`${tenant.id} differs`);
    }
  }),
);
const failed = results.filter(({ status }) => status === "rejected").length;
if (command === "destroy" && failed === 0 && !hasServers) await stopServers(rootDir);
console.log(`${command}: ${tenants.length - failed} of ${tenants.length} tenants, in ${rootDir}`);
if (failed > 0) process.exitCode = 1;

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
