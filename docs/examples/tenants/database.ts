/** The resource type of a tenant's database in PostgreSQL, with a role that owns it and a role that only reads. */
import { EngineError, engine, Resource, type Secret } from "scope-engine";
import { EXTRA_GRANTS, type Facts, lookUp } from "./database-facts.ts";
import { belongsToOthers, checkName, markOf } from "./names.ts";
import { inDatabase, literal, onServer, quoted, urlOf, verifierOf } from "./postgres.ts";

interface DatabaseProps {
  /** Default: the physical name. */
  readonly name?: string;
  /** Largest number of connections at the same time. */
  readonly connections: number;
  readonly password: Secret<string>;
  readonly readerPassword: Secret<string>;
}

interface DatabaseOutput {
  readonly name: string;
  readonly reader: string;
  readonly url: Secret<string>;
  readonly readerUrl: Secret<string>;
  /** The condition on the server, so that a change made by hand is drift. */
  readonly found: Facts;
}

/** The name of the second role is the longest one. PostgreSQL cuts names after 63 bytes. */
const readerOf = (name: string): string => `${name}_reader`;
const LONGEST = 63 - readerOf("").length;

export const Database = Resource<DatabaseOutput, DatabaseProps>("tenants:Database", {
  replaceOn: ["name"],
  recognizesOwn: true,
  outputs({ props, output, physicalName }) {
    const name = output?.name ?? props.name ?? physicalName;
    return { name, reader: readerOf(name) };
  },
  create: ({ props, physicalName, uid }) => settle(props.name ?? physicalName, props, markOf(uid)),
  update: ({ props, output, uid }) => settle(output.name, props, markOf(uid)),
  // It finds a half-made database too: the engine then calls `update` or `delete`. A database without the mark is never
  // found, so it cannot be adopted.
  async read({ props, output, physicalName, uid }) {
    const name = output?.name ?? props.name ?? physicalName;
    const { found } = await lookUp(partsOf(name, props), markOf(uid));
    return found.owner || found.reader || found.database ? outputOf(name, props, found) : undefined;
  },
  async delete({ props, output: { name }, uid }) {
    const { found } = await lookUp(partsOf(name, props), markOf(uid));
    await onServer(async (run) => {
      if (found.database) await run(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`);
      if (found.reader) await run(`DROP ROLE IF EXISTS ${quoted(readerOf(name))}`);
      if (found.owner) await run(`DROP ROLE IF EXISTS ${quoted(name)}`);
    });
  },
});

/**
 * Makes the missing parts and gives all parts the declared condition. The process may die between any two statements: a
 * role gets its mark in the transaction that creates it, and a database gets its owner in the statement that creates it.
 */
async function settle(name: string, props: DatabaseProps, mark: string): Promise<DatabaseOutput> {
  checkName("database", name, LONGEST);
  // An address can name such a database, but `pg` cannot read it there.
  if (/[?#]/.test(name))
    throw new EngineError("NOT_CREATED", `The database name "${name}" has a "?" or "#". Choose another name.`);
  const parts = partsOf(name, props);
  const { found, foreign } = await lookUp(parts, mark);
  if (foreign.length > 0) throw belongsToOthers(foreign);
  const [owner, reader] = [quoted(name), quoted(readerOf(name))];
  await onServer(async (run) => {
    if (!found.owner) await run(`CREATE ROLE ${owner}; COMMENT ON ROLE ${owner} IS ${literal(mark)}`);
    if (!found.reader) await run(`CREATE ROLE ${reader}; COMMENT ON ROLE ${reader} IS ${literal(mark)}`);
    // Others may be connected to template1, which is the default.
    if (!found.database) await run(`CREATE DATABASE ${owner} OWNER ${owner} TEMPLATE template0`);
    await run(`
      ${login(owner, parts.passwords.owner)}
      ${login(reader, parts.passwords.reader)}
      ALTER DATABASE ${owner} OWNER TO ${owner};
      ALTER DATABASE ${owner} CONNECTION LIMIT ${Number(props.connections)};
      COMMENT ON DATABASE ${owner} IS ${literal(`Tenant's database. Do not change by hand. ${mark}`)};
      REVOKE ALL ON DATABASE ${owner} FROM PUBLIC, ${reader};
      GRANT ALL ON DATABASE ${owner} TO ${owner};
      GRANT CONNECT ON DATABASE ${owner} TO ${reader};`);
    const extra = await run<{ revoke: string }>(EXTRA_GRANTS, [name, readerOf(name)]);
    for (const { revoke } of extra) await run(revoke);
  });
  await inDatabase(name, (run) =>
    run(`
      REVOKE ALL ON SCHEMA public FROM PUBLIC, ${reader};
      GRANT USAGE ON SCHEMA public TO ${reader};
      GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${reader};
      ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA public REVOKE ALL ON TABLES FROM ${reader};
      ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA public GRANT SELECT ON TABLES TO ${reader};`),
  );
  return outputOf(name, props, (await lookUp(parts, mark)).found);
}

function login(role: string, password: string): string {
  return `ALTER ROLE ${role} LOGIN NOSUPERUSER INHERIT NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS
    CONNECTION LIMIT -1 VALID UNTIL 'infinity' PASSWORD ${literal(verifierOf(password))};`;
}

function partsOf(name: string, { password, readerPassword }: DatabaseProps) {
  return {
    name,
    reader: readerOf(name),
    passwords: { owner: password.unencrypted, reader: readerPassword.unencrypted },
  };
}

function outputOf(name: string, props: DatabaseProps, found: Facts): DatabaseOutput {
  const { reader, passwords } = partsOf(name, props);
  const url = (role: string, password: string): Secret<string> =>
    engine.secret(urlOf(name, role, password), `url of ${role}`);
  return { name, reader, url: url(name, passwords.owner), readerUrl: url(reader, passwords.reader), found };
}
