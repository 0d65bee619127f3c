/** Starts Debian's PostgreSQL and RabbitMQ as resources of an app of their own. They run until that is destroyed. */
import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { engine, type Secret } from "scope-engine";
import { Command, File, Password, Process } from "scope-engine/resources";
import { epmdArguments, RABBITMQ, rabbitmqEnvironment, rabbitmqFiles } from "./rabbitmq.ts";

const APP = "tenants-servers";
const POSTGRES_PORT = 14_432;
const PORTS = { amqp: 14_670, management: 14_671, epmd: 14_672, distribution: 14_673 };
const USER = "admin";
const POSTGRES = "/usr/lib/postgresql";

/** Debian's packages that this machine lacks. */
export async function missingPackages(): Promise<string[]> {
  const has = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );
  const packages = [
    { name: "postgresql", isThere: await has(POSTGRES) },
    { name: "rabbitmq-server", isThere: await has(RABBITMQ) },
  ];
  return packages.flatMap(({ name, isThere }) => (isThere ? [] : [name]));
}

/** Resolves with the variables that lead to the servers. Servers that run already stay as they are. */
export async function startServers(rootDir: string): Promise<Readonly<Record<string, string>>> {
  const { result: password } = await engine.up(APP, { stage: "local", rootDir }, async () => {
    const { value } = await Password("admin");
    await Promise.all([postgres(rootDir, value), rabbitmq(rootDir, value)]);
    return value.unencrypted;
  });
  return {
    ...{ PGHOST: "127.0.0.1", PGPORT: String(POSTGRES_PORT), PGUSER: USER, PGPASSWORD: password },
    ...{ PGDATABASE: "postgres", RABBITMQ_URL: `http://${USER}:${password}@127.0.0.1:${PORTS.management}` },
  };
}

export async function stopServers(rootDir: string): Promise<void> {
  await engine.down(APP, { stage: "local", rootDir });
}

async function postgres(rootDir: string, password: Secret<string>): Promise<void> {
  const versions = (await readdir(POSTGRES)).map(Number).filter((version) => version > 0);
  const programs = join(POSTGRES, String(Math.max(...versions)), "bin");
  const data = join(rootDir, "postgres");
  // The server refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  const owner = isRoot ? "-o postgres -g postgres" : "";
  const init = `${programs}/initdb -D "$DATA" -U ${USER} --auth=scram-sha-256 --pwfile="$DATA.password" --encoding=UTF8`;
  // A second run keeps a complete folder, and replaces one that a killed run has left.
  await Command("postgres-data", {
    command: `set -e
      if [ -e "$DATA.complete" ]; then exit 0; fi
      rm -rf "$DATA"
      install -d -m 700 ${owner} "$DATA"
      install -m 600 ${owner} /dev/null "$DATA.password"
      printf %s "$PASSWORD" > "$DATA.password"
      ${as.join(" ")} ${init}
      rm "$DATA.password"
      touch "$DATA.complete"`,
    delete: 'rm -rf "$DATA" "$DATA.complete"',
    env: { DATA: data, PASSWORD: password },
  });
  const settings = [`port=${POSTGRES_PORT}`, "listen_addresses=127.0.0.1", "unix_socket_directories="];
  const [command = "", ...args] = [
    ...as,
    `${programs}/postgres`,
    "-D",
    data,
    ...settings.flatMap((one) => ["-c", one]),
  ];
  await Process("postgres", { command, args, ready: { port: POSTGRES_PORT, host: "127.0.0.1" } });
}

async function rabbitmq(rootDir: string, password: Secret<string>): Promise<void> {
  const folder = join(rootDir, "rabbitmq");
  const env = { FOLDER: folder };
  await Command("rabbitmq-data", { command: 'mkdir -p "$FOLDER"', delete: 'rm -rf "$FOLDER"', env });
  for (const [name, content] of Object.entries(rabbitmqFiles(PORTS))) {
    await File(name, { path: `rabbitmq/${name}`, content });
  }
  const mapper = { command: "epmd", args: [...epmdArguments(PORTS)] };
  await Process("epmd", { ...mapper, ready: { port: PORTS.epmd, host: "127.0.0.1" } });
  const administrator = { RABBITMQ_DEFAULT_USER: USER, RABBITMQ_DEFAULT_PASS: password };
  // Its ports are open before it is complete.
  const ready = { line: /completed with \d+ plugins/ };
  await Process("rabbitmq", {
    command: RABBITMQ,
    args: [],
    ...{ env: { ...rabbitmqEnvironment(folder, PORTS), ...administrator }, ready, readyTimeout: 120_000 },
  });
}
