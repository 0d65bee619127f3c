/** The parts of a tenant's database that the server has: two roles and the database. */
import { fits, inDatabase, onServer, quoted } from "./postgres.ts";

export interface DatabaseParts {
  /** Name of the database and of the role that owns it. */
  readonly name: string;
  readonly reader: string;
  readonly passwords: { readonly owner: string; readonly reader: string };
}

/** Attributes of a role as the server names them, such as `rolcanlogin`. */
interface RoleFacts extends Readonly<Record<string, unknown>> {
  readonly memberOf: readonly string[];
  readonly passwordFits: boolean;
}

interface OpenFacts {
  /** Grants on the schema `public`, and on the tables that the owner will create. */
  readonly schemaGrants: readonly string[];
  readonly tableGrants: readonly string[];
}

export interface Facts {
  readonly owner?: RoleFacts;
  readonly reader?: RoleFacts;
  readonly database?: OpenFacts & {
    readonly owner: string;
    readonly comment: string | null;
    readonly connectionLimit: number;
    readonly grants: readonly string[];
  };
}

interface RoleRow {
  readonly name: string;
  readonly mark: string | null;
  readonly verifier: string | null;
  readonly facts: Readonly<Record<string, unknown>> & { readonly memberOf: readonly string[] };
}

interface DatabaseRow {
  readonly owner: string;
  readonly comment: string | null;
  readonly limit: number;
  readonly grants: string[] | null;
}

/**
 * Returns the parts with the mark, and the names of parts that others made. The mark of a database is that of its
 * owner: unlike a comment, the owner is set in the statement that creates the database.
 */
export async function lookUp(parts: DatabaseParts, mark: string): Promise<{ found: Facts; foreign: string[] }> {
  const { name, reader, passwords } = parts;
  const [roles, [database]] = await onServer(async (run) => [
    await run<RoleRow>(ROLES, [[name, reader]]),
    await run<DatabaseRow>(DATABASE, [name]),
  ]);
  const isOwn = (role: string): boolean => roles.some((row) => row.name === role && row.mark === mark);
  const isOwnDatabase = database && (isOwn(database.owner) || (database.comment?.endsWith(mark) ?? false));
  const factsOf = (role: string, password: string): RoleFacts | undefined => {
    const row = isOwn(role) ? roles.find((one) => one.name === role) : undefined;
    return row && { ...row.facts, passwordFits: fits(password, row.verifier) };
  };
  const found: Facts = {
    owner: factsOf(name, passwords.owner),
    reader: factsOf(reader, passwords.reader),
    database: isOwnDatabase
      ? {
          ...{ owner: database.owner, comment: database.comment, connectionLimit: database.limit },
          grants: sorted(database.grants),
          ...(await inside(name, database.owner)),
        }
      : undefined,
  };
  const foreign = roles.filter((row) => !isOwn(row.name)).map((row) => `role ${quoted(row.name)}`);
  if (database && !isOwnDatabase) foreign.push(`database ${quoted(name)}`);
  return { found, foreign };
}

async function inside(name: string, owner: string): Promise<OpenFacts> {
  const rows = await inDatabase(name, (run) =>
    run<{ schema: string[] | null; tables: string[] | null }>(INSIDE, [owner]),
  );
  return { schemaGrants: sorted(rows[0]?.schema), tableGrants: sorted(rows[0]?.tables) };
}

function sorted(grants: readonly string[] | null | undefined): string[] {
  return [...(grants ?? [])].sort();
}

const ROLES = `
  SELECT rolname AS name, shobj_description(r.oid, 'pg_authid') AS mark, rolpassword AS verifier,
    to_jsonb(r) - '{oid,rolname,rolpassword}'::text[] || jsonb_build_object('memberOf', ARRAY(
      SELECT g.rolname FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = r.oid ORDER BY 1
    )) AS facts
  FROM pg_authid r WHERE rolname = ANY ($1)`;

/** Statements that revoke grants which were made by hand. */
export const EXTRA_GRANTS = `
  SELECT format('REVOKE ALL ON DATABASE %I FROM %I CASCADE', datname, r.rolname) AS revoke
  FROM pg_database, aclexplode(datacl) JOIN pg_roles r ON r.oid = grantee
  WHERE datname = $1 AND r.rolname NOT IN ($1, $2)
  UNION SELECT format('REVOKE %I FROM %I', g.rolname, r.rolname)
  FROM pg_auth_members JOIN pg_roles g ON g.oid = roleid JOIN pg_roles r ON r.oid = member
  WHERE r.rolname IN ($1, $2)`;

const DATABASE = `
  SELECT pg_get_userbyid(datdba) AS owner, shobj_description(oid, 'pg_database') AS comment,
    datconnlimit AS "limit", datacl::text[] AS grants
  FROM pg_database WHERE datname = $1`;

const INSIDE = `
  SELECT (SELECT nspacl::text[] FROM pg_namespace WHERE nspname = 'public') AS schema,
    (SELECT defaclacl::text[] FROM pg_default_acl
      WHERE defaclrole = to_regrole(quote_ident($1)) AND defaclobjtype = 'r'
        AND defaclnamespace = to_regnamespace('public')) AS tables`;
