/** Sends statements, each in a transaction of its own, and retries them after temporary failures. */
import { codeOf, EngineError, ignore, isEngineError, messageOf } from "../../core/base/index.js";
import { Attempts, isOfTls, RetriesFailed, retry, withTimeout } from "../kit/retry.js";
import { connect, type PostgresPool, type PostgresSettings, query, READ_ONLY, type Row } from "./connect.js";

/** Milliseconds of retries for a server that was never reached: its address is probably wrong. */
const FIRST_CONTACT = 5_000;
/** Minimum of milliseconds for the last attempt, and maximum for the end of the connections. */
const LEAST = 1_000;

export class Link {
  readonly #settings: PostgresSettings;
  readonly #attempts = new Attempts();
  #opening: Promise<PostgresPool> | undefined;
  #hasWorked = false;
  /** True after a statement failed with retries: the next one fails without retries. */
  #isDown = false;

  constructor(settings: PostgresSettings) {
    this.#settings = settings;
  }

  /**
   * @param act name of the action, for messages, e.g. "read app/dev/lease/1"
   * @returns `isRepeated`: an earlier attempt had no answer, and may have taken effect
   * @throws EngineError `STORE_FAILED`, `PACKAGE_MISSING`
   */
  async run(act: string, text: string, values: unknown[]): Promise<{ rows: readonly Row[]; isRepeated: boolean }> {
    const { requestTimeout, retryTimeout, location } = this.#settings;
    const { signal } = this.#attempts;
    const isPassing = (error: unknown): boolean => !signal.aborted && mayPass(error, this.#hasWorked);
    const limits = {
      limit: this.#isDown ? 0 : retryTimeout,
      attemptLimit: requestTimeout,
      isPassing,
      limitOf: (error: unknown) => (isUnreachable(error) && !this.#hasWorked ? FIRST_CONTACT : retryTimeout),
    };
    let attempts = 0;
    try {
      this.#opening ??= connect(this.#settings);
      const pool = await this.#opening;
      const rows = await retry(limits, (time) => {
        attempts++;
        return withTimeout(Math.max(time, Math.min(requestTimeout, LEAST)), (late) =>
          this.#attempts.run(late, (ended) => this.#attempt(pool, text, values, ended)),
        );
      });
      this.#hasWorked = true;
      this.#isDown = false;
      return { rows, isRepeated: attempts > 1 };
    } catch (error) {
      const { last, seconds } = error instanceof RetriesFailed ? error : { last: error, seconds: 0 };
      if (isEngineError(last)) throw last;
      this.#isDown = isPassing(last);
      const tried = attempts > 1 ? ` (${attempts} attempts in ${seconds} s)` : "";
      const said = `${messageOf(last).replace(/[.\s]+$/, "")}${tried}. ${signal.aborted ? CLOSED : adviceOn(last)}`;
      throw failed(`Could not ${act} in PostgreSQL, ${location}: ${said}`, last);
    }
  }

  /** Ends own connections, those with pending statements at once. */
  async close(): Promise<void> {
    this.#attempts.end(new Error("the store was closed"));
    const pool = await this.#opening?.catch(ignore);
    if (this.#settings.pool === undefined) await withTimeout(LEAST, async () => pool?.end()).catch(ignore);
  }

  async #attempt(pool: PostgresPool, text: string, values: unknown[], signal: AbortSignal): Promise<Row[]> {
    const hadWorked = this.#hasWorked;
    try {
      return await query(pool, text, values, signal);
    } catch (error) {
      // If it is missing later, it was dropped. A new one would hide that the state is lost.
      if (hadWorked || codeOf(error) !== NO_TABLE) throw error;
      await create(this.#settings, (statement) => query(pool, statement, [], signal));
      return query(pool, text, values, signal);
    }
  }
}

/** Creates the table, and its schema if that is missing. Another client may be creating them, too. */
async function create({ location, setup }: PostgresSettings, run: (text: string) => Promise<unknown>): Promise<void> {
  const [schema, table] = setup;
  const make = (text: string): Promise<unknown> => run(text).catch((error) => unless(error, ...THERE));
  try {
    await make(table).catch((error) => unless(error, NO_SCHEMA) ?? make(schema).then(() => make(table)));
  } catch (error) {
    unless(error, NO_RIGHT);
    const why = `this role may not create it (${messageOf(error)})`;
    throw failed(`The table of the state does not exist in PostgreSQL, ${location}, and ${why}. ${SETUP}`, error);
  }
}

function unless(error: unknown, ...codes: readonly string[]): undefined {
  if (!codes.includes(codeOf(error))) throw error;
}

function failed(message: string, cause: unknown): EngineError {
  return new EngineError("STORE_FAILED", message, { cause });
}

const NO_TABLE = "42P01";
const NO_SCHEMA = "3F000";
const THERE = ["42P06", "42P07", "42710", "23505"];
const NO_RIGHT = "42501";
/** Codes of the server that mean "not now", or the beginnings of such codes. */
const NOT_NOW = /^(08|40|53[34]00|55P03|57)/;
const OF_SERVER = /^(?=.*\d)[0-9A-Z]{5}$/;

/** @param hasWorked true if the server has answered before; if it refuses writes then, a failover is in progress */
function mayPass(error: unknown, hasWorked: boolean): boolean {
  const code = codeOf(error);
  // PgBouncer has one code for all errors, pg has none for those about passwords and TLS, and a file may be missing.
  const isRefusal = ["", "08P01", "ENOENT"].includes(code) && /password|SASL|SSL|no such/i.test(messageOf(error));
  if (isEngineError(error) || isRefusal || /^(ENOTFOUND$|ERR_OSSL|ERR_INV)/.test(code) || isOfTls(code)) return false;
  if (code === READ_ONLY) return hasWorked;
  return !OF_SERVER.test(code) || NOT_NOW.test(code);
}

const isUnreachable = (error: unknown): boolean => /^(ECONNREFUSED|EAI_AGAIN|E\w+UNREACH)$/.test(codeOf(error));
const CLOSED = "The store is already closed. Close it only after everything that uses it has ended.";
const SETUP = 'Let an administrator run the statements that "engine state init --sql" prints.';
const PASSWORD = "Check the user and the password.";
const COLUMNS = "The table belongs to another program. Choose another { table }.";

const ADVICE: Readonly<Record<string, string>> = {
  "28P01": PASSWORD,
  "28000": "Let pg_hba.conf admit this user, host and kind of connection.",
  "3D000": "Create the database, or correct its name.",
  [NO_TABLE]: "The table was dropped or renamed while this run used it. Restore it from a backup, then run again.",
  [NO_RIGHT]: "Grant this role the rights that the guide's page on PostgreSQL lists.",
  "42703": COLUMNS,
  "42P10": COLUMNS,
  "53100": "The disk of the server is full. Nothing was written. Free some space, then run again.",
  "53300": "The server has too many connections. Raise max_connections, or connect through PgBouncer.",
  "54000": "The key is too long for PostgreSQL. Choose shorter names.",
  "57014": "The server canceled the statement. Raise the statement_timeout of this role.",
  [READ_ONLY]: "This server only reads. Use the primary, because only the primary has the current state.",
  ENOTFOUND: "Check the name of the host.",
};

function adviceOn(error: unknown): string {
  const code = codeOf(error);
  if (ADVICE[code] !== undefined) return ADVICE[code];
  if (/^(ENOENT|ERR_)/.test(code)) return "Check { ssl } and the paths in the connection string.";
  if (isOfTls(code)) return "The certificate of the server is not trusted. Pass { ssl: { ca } }.";
  if (/SSL/.test(messageOf(error))) return "The server and { ssl } must both use TLS, or both not.";
  if (/password|SASL|no such user/i.test(messageOf(error))) return PASSWORD;
  return "Check that the server is running and reachable, then run again.";
}
