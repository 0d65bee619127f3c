/** With few keys and short values; the matrix has more than a page holds, long ones, and a cluster. */
import { redisSuite } from "./redis-suite.js";

redisSuite({ many: 50, largest: 300_000 });
