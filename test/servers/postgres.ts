/** A real PostgreSQL server of a test's own, and a PgBouncer before one. */
import { chmod, chown, mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.js";
import { openPremises, type Premises } from "./premises.js";
import type { Resident } from "./resident.js";
import { isUp } from "./up.js";

export interface PostgresServer {
  /** With user and password of a superuser. */
  readonly url: string;
  /** With a superuser who needs no password, so that a proxy can open connections. */
  readonly openUrl: string;
  readonly port: number;
  /** Its files, `server.crt` among them. */
  readonly folder: string;
  /** As a crash does: SIGKILL of all its processes. The system keeps what they have written. */
  kill(): Promise<void>;
  /** Starts it again at the same address, with the data that is on the disk. */
  restart(): Promise<void>;
  /** Turns a standby into a primary. */
  promote(): Promise<void>;
  /** Stops it in place with SIGSTOP, or lets it continue. */
  pause(isPaused: boolean): Promise<void>;
  /** Ends it and removes all its data. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /**
   * Further settings, which win: `["fsync=on"]`. By default `fsync=off`, because these servers need not survive a power
   * loss: a SIGKILL loses nothing of what the system was given.
   */
  readonly settings?: readonly string[];
  /** Makes it a standby of this server, as of now; it follows it unless `follows` is false. */
  readonly standbyOf?: PostgresServer;
  readonly follows?: boolean;
  /** A folder for the data, such as a small disk. */
  readonly data?: string;
  /** Encrypts connections, with a certificate for `localhost` that nobody knows. */
  readonly tls?: boolean;
}

const PROGRAMS = "/usr/lib/postgresql/15/bin";
const USER = "engine";
export const PASSWORD = "s3cr3t-pg";
const OPEN = "anybody";

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const premises = await openPremises("postgres");
  try {
    return await serverIn(premises, options);
  } catch (error) {
    await premises.leave();
    throw error;
  }
}

async function serverIn(premises: Premises, options: PostgresOptions): Promise<PostgresServer> {
  const { settings = [], standbyOf, follows = true, tls = false } = options;
  const as = await asOwner(premises);
  const data = options.data ?? join(premises.folder, "data");
  const port = await freePort();
  await mkdir(data, { recursive: true });
  await as.give(data);
  if (standbyOf) await copyOf(standbyOf, { premises, as, data, follows });
  else await initialize({ premises, as, data }, tls ? "scram-sha-256" : "md5");
  if (tls) await certify({ premises, as, data });
  const fixed = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "max_connections=300",
    "dynamic_shared_memory_type=mmap",
    ...(tls ? ["ssl=on"] : []),
  ];
  const arguments_ = [...fixed, ...settings].flatMap((one) => ["-c", one]);
  const start = async (): Promise<Resident> => {
    const server = await premises.start(...as.command(`${PROGRAMS}/postgres`, ["-D", data, ...arguments_]));
    await isUp(server, () => accepts(port));
    return server;
  };
  let server = await start();
  const url = `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`;
  if (!standbyOf) await inSql(url, `CREATE ROLE ${OPEN} SUPERUSER LOGIN`);
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    for (const pid of [server.pid, ...(await childrenOf(server.pid))]) send(pid, name);
  };
  const kill = async (): Promise<void> => {
    if (!server.alive) return;
    await signal("SIGKILL");
    await server.ended;
  };
  return {
    url,
    openUrl: `postgres://${OPEN}@127.0.0.1:${port}/postgres`,
    port,
    folder: data,
    kill,
    restart: async () => {
      await kill();
      server = await start();
    },
    promote: () => premises.run(...as.command(`${PROGRAMS}/pg_ctl`, ["promote", "-D", data, "-w"])),
    pause: (isPaused) => signal(isPaused ? "SIGSTOP" : "SIGCONT"),
    stop: async () => {
      // A server that is killed leaves a segment of shared memory.
      if (server.alive) {
        await signal("SIGCONT");
        send(server.pid, "SIGQUIT");
        await server.ended;
      }
      await premises.leave();
    },
  };
}

/** PgBouncer in transaction mode, with two connections to the server. */
export async function startPgbouncer(target: PostgresServer): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const premises = await openPremises("pgbouncer");
  try {
    const as = await asOwner(premises);
    const port = await freePort();
    const at = (name: string): string => join(premises.folder, name);
    await writeFile(at("users.txt"), `"${USER}" "${PASSWORD}"\n`);
    await writeFile(
      at("pgbouncer.ini"),
      `[databases]
* = host=127.0.0.1 port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = md5
auth_file = ${at("users.txt")}
pool_mode = transaction
default_pool_size = 2
max_client_conn = 500
`,
    );
    const server = await premises.start(...as.command("/usr/sbin/pgbouncer", [at("pgbouncer.ini")]));
    await isUp(server, () => accepts(port));
    return { url: target.url.replace(`:${target.port}/`, `:${port}/`), stop: () => premises.leave() };
  } catch (error) {
    await premises.leave();
    throw error;
  }
}

/** The user that the server's processes have: it refuses to run as root. */
interface Owner {
  command(program: string, args: readonly string[]): [string, readonly string[]];
  give(path: string): Promise<void>;
}

async function asOwner({ folder }: Premises): Promise<Owner> {
  if (process.getuid?.() !== 0) {
    return { command: (program, args) => [program, args], give: (path) => chmod(path, 0o700) };
  }
  const [, uid = "", gid = ""] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(await readFile("/etc/passwd", "utf8")) ?? [];
  await chmod(folder, 0o755);
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  return {
    // Unlike runuser, it becomes the program, so that signals reach that.
    command: (program, args) => ["setpriv", [...identity, program, ...args]],
    give: async (path) => {
      await chmod(path, 0o700);
      await chown(path, Number(uid), Number(gid));
    },
  };
}

interface Place {
  readonly premises: Premises;
  readonly as: Owner;
  readonly data: string;
}

/** @param auth `md5` costs less time than `scram-sha-256` */
async function initialize({ premises, as, data }: Place, auth: "md5" | "scram-sha-256"): Promise<void> {
  const passwords = join(premises.folder, "password");
  await writeFile(passwords, PASSWORD, { mode: 0o644 });
  const how = ["--no-sync", "--no-locale", "--encoding=UTF8", `--auth=${auth}`, `--pwfile=${passwords}`];
  await premises.run(...as.command(`${PROGRAMS}/initdb`, ["-D", data, "-U", USER, ...how]));
  await writeFile(
    join(data, "pg_hba.conf"),
    `host all ${OPEN} 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 ${auth}\nhost replication all 127.0.0.1/32 ${auth}\n`,
  );
}

async function copyOf(
  primary: PostgresServer,
  { premises, as, data, follows }: Place & { follows: boolean },
): Promise<void> {
  const from = ["-d", primary.url, "--checkpoint=fast", "--wal-method=stream"];
  await premises.run(
    ...as.command(`${PROGRAMS}/pg_basebackup`, [
      ...["-D", data, "--no-sync", ...from],
      ...(follows ? ["--write-recovery-conf"] : []),
    ]),
  );
}

async function certify({ premises, as, data }: Place): Promise<void> {
  const [key, certificate] = [join(data, "server.key"), join(data, "server.crt")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  await premises.run("openssl", [
    "req",
    "-new",
    "-x509",
    "-nodes",
    "-newkey",
    "rsa:2048",
    "-days",
    "9",
    ...subject,
    "-keyout",
    key,
    "-out",
    certificate,
  ]);
  await as.give(key);
  await chmod(key, 0o600);
  await chmod(data, 0o700);
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return children.trim().split(" ").filter(Boolean).map(Number);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Runs a statement on a connection of its own. */
export async function inSql(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** True if the server answers a request for TLS, which needs no user, and is not starting up. */
async function accepts(port: number): Promise<boolean> {
  const startup = Buffer.from("\0\0\0\0\0\x03\0\0user\0nobody\0database\0postgres\0\0", "latin1");
  startup.writeInt32BE(startup.length);
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(startup));
    socket.on("error", () => resolve(false));
    socket.once("data", (answer) => {
      socket.destroy();
      // "The database system is starting up."
      resolve(!answer.includes("57P03"));
    });
    socket.once("close", () => resolve(false));
  });
}
