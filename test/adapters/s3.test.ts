/** With few keys and short values; the matrix has every kind of key, more than a page holds, and long values. */
import { SAMPLE, s3Suite } from "./s3-suite.js";

s3Suite({ many: 25, largest: 100_000 }, SAMPLE);
