/** The PostgreSQL that all tests share: that of `TEST_POSTGRES_URL`, or one that is started for the run. */
import { describeUnless, given } from "./given.js";
import { postgresUrlIn } from "./variables.js";

const lacks = postgresUrlIn(process.env) === undefined ? await given("postgres") : undefined;

/** A block of tests that need PostgreSQL. Tests share it, so each uses a table of its own. See `describeUnless`. */
export function describeWithPostgres(name: string, body: (url: string) => void): void {
  describeUnless(lacks, name, () => body(postgresUrlIn(process.env) ?? "postgres://postgres.invalid/none"));
}
