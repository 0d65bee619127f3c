/**
 * With few keys and short values, over a pool of the program; the matrix has more than a page holds, long ones,
 * connections of the store, and PgBouncer.
 */
import { postgresSuite } from "./postgres-suite.js";

postgresSuite({ many: 50, largest: 300_000 }, { isPooled: true });
