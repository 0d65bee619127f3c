/** Statements on the PostgreSQL server that PGHOST, PGPORT, PGUSER and PGPASSWORD name. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import pg from "pg";

/** Quotes of names and texts: data definition takes no parameters. */
export const { escapeIdentifier: quoted, escapeLiteral: literal } = pg;

export type Run = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/**
 * Connects to a database, and ends the connection after the work. A text with several statements takes effect as a
 * whole or not at all.
 */
export async function inDatabase<T>(database: string, work: (run: Run) => Promise<T>): Promise<T> {
  const client = new pg.Client({ database, connectionTimeoutMillis: 10_000, statement_timeout: 60_000 });
  client.on("error", () => {}); // the statement that needs the connection fails with the same error
  await client.connect();
  try {
    return await work(async (text, values) => (await client.query(text, values && [...values])).rows);
  } finally {
    await client.end();
  }
}

/** The database in which the server is administered. */
export function onServer<T>(work: (run: Run) => Promise<T>): Promise<T> {
  return inDatabase(process.env.PGDATABASE ?? "postgres", work);
}

/** Address for a tenant's programs. */
export function urlOf(database: string, role: string, password: string): string {
  const { PGHOST: host = "127.0.0.1", PGPORT: port = "5432" } = process.env;
  const [user, secret] = [role, password].map(encodeURIComponent);
  // `pg` reads the last part with decodeURI, which leaves %26 as it is.
  return `postgres://${user}:${secret}@${host}:${port}/${encodeURI(database)}`;
}

/**
 * The form in which the server keeps a password (RFC 5803). A statement with it reveals no password, even in the log of
 * the server.
 */
export function verifierOf(password: string, salt: Buffer = randomBytes(16), iterations = 4096): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const sign = (text: string): Buffer => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(sign("Client Key")).digest("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${sign("Server Key").toString("base64")}`;
}

export function fits(password: string, verifier: string | null): boolean {
  const [, iterations, salt] = /^SCRAM-SHA-256\$(\d+):([^$]+)\$/.exec(verifier ?? "") ?? [];
  if (iterations === undefined || salt === undefined) return false;
  return verifierOf(password, Buffer.from(salt, "base64"), Number(iterations)) === verifier;
}
