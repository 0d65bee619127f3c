/** With few keys and short values; the matrix has more than a page holds, long ones, and PgBouncer. */
import { postgresSuite } from "./postgres-suite.js";

postgresSuite({ many: 50, largest: 300_000 });
