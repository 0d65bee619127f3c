/**
 * The example of docs/examples/tenants on the servers of the tests: its runs in this process and in others, and the
 * content of the servers, as an administrator sees it.
 */
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onServer } from "../../docs/examples/tenants/postgres.ts";
import { type Api, rabbitmq } from "../../docs/examples/tenants/rabbitmq.ts";
import { type Access, program } from "../../docs/examples/tenants/tenant.ts";
import { readTenants, type Tenant } from "../../docs/examples/tenants/tenants.ts";
import type { FleetEngineOptions } from "../../plugins/fleet/index.js";
import { type EngineOptions, engine, type UpResult } from "../../plugins/index.js";
import { KEYS } from "../helpers/apps/under-key.ts";
import { type Ended, type RunningProgram, runProgram, startProgram } from "../helpers/processes/child-program.ts";

export const tenants = await readTenants();

/** Changes the environment of this process, which the types of the example read as in a user's program. */
export function useServers(postgresUrl: string, rabbitmqUrl: string): void {
  const { hostname, port, username, password } = new URL(postgresUrl);
  Object.assign(process.env, { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password });
  Object.assign(process.env, { PGDATABASE: "postgres", RABBITMQ_URL: rabbitmqUrl });
}

export const api: Api = (...request) => rabbitmq(new AbortController().signal)(...request);

/** A folder with the state of all tenants, and the files of the proxy. */
export class Fleet {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<Fleet> {
    return new Fleet(await realpath(await mkdtemp(join(tmpdir(), "scope-engine-tenants-"))));
  }

  options({ id }: Pick<Tenant, "id">): EngineOptions {
    return { stage: id, rootDir: this.folder, key: KEYS[0], argv: [], env: {}, quiet: true };
  }

  async up(tenant: Tenant, options: EngineOptions = {}): Promise<UpResult<Access>> {
    const all = { ...this.options(tenant), ...options };
    return engine.up("tenants", all, (app) => program(app, tenant));
  }

  async down(tenant: Pick<Tenant, "id">): Promise<void> {
    await engine.down("tenants", this.options(tenant));
  }

  /** Options of the whole fleet. */
  get defaults(): FleetEngineOptions {
    return { rootDir: this.folder, key: KEYS[0], env: {} };
  }

  /** Starts a worker in a process of its own. */
  worker(queue: string): RunningProgram {
    return startProgram("tenants-worker", { cwd: this.folder, args: [queue, this.folder], env: this.environment });
  }

  /** Runs the tenant in a process of its own. @param kill see test/e2e/programs/tenants.child.ts */
  inProcess(command: "up" | "down", { id }: Tenant, kill = ""): Promise<Ended> {
    return runProgram("tenants", { cwd: this.folder, args: [command, id, kill], env: this.environment });
  }

  get environment(): Readonly<Record<string, string>> {
    const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE, RABBITMQ_URL } = process.env;
    const servers = { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE, RABBITMQ_URL };
    const known = Object.fromEntries(Object.entries(servers).map(([name, value]) => [name, value ?? ""]));
    const file = fileURLToPath(new URL("../../docs/examples/tenants/tenants.json", import.meta.url));
    return { ...known, ENGINE_KEY: KEYS[0] ?? "", TENANTS_FILE: file };
  }

  async inventory(): Promise<Inventory> {
    const names = (rows: readonly { readonly name: string }[] = []): string[] => rows.map(({ name }) => name).sort();
    const [databases, roles] = await onServer(async (run) => [
      await run<{ name: string }>("SELECT datname AS name FROM pg_database WHERE datname LIKE 'tenants-%'"),
      await run<{ name: string }>("SELECT rolname AS name FROM pg_roles WHERE rolname LIKE 'tenants-%'"),
    ]);
    const [vhosts, users] = await Promise.all([
      api<{ name: string }[]>("GET", ["vhosts"]),
      api<{ name: string }[]>("GET", ["users"]),
    ]);
    return {
      databases: names(databases),
      roles: names(roles),
      vhosts: names(vhosts).filter((name) => name !== "/"),
      users: names(users).filter((name) => name !== "admin"),
      files: (await readdir(join(this.folder, "sites")).catch(() => [])).sort(),
    };
  }

  async remove(): Promise<void> {
    for (const tenant of tenants) await this.down(tenant);
    await rm(this.folder, { recursive: true });
  }
}

/** The content of both servers that is not their own, and the files of the proxy. */
export interface Inventory {
  readonly databases: readonly string[];
  readonly roles: readonly string[];
  readonly vhosts: readonly string[];
  readonly users: readonly string[];
  readonly files: readonly string[];
}

/** The inventory with these tenants. */
export function inventoryOf(wanted: readonly Tenant[]): Inventory {
  const ids = wanted.map(({ id }) => id);
  const named = (resource: string): string[] => ids.map((id) => `tenants-${resource}-${id}`).sort();
  const databases = named("main");
  return {
    databases,
    roles: [...databases, ...databases.map((name) => `${name}_reader`)].sort(),
    vhosts: named("queue"),
    users: named("queue"),
    files: ids.map((id) => `${id}.conf`).sort(),
  };
}
