/**
 * With few keys and short values; the matrix has more than a page holds, long ones, and tests of hundreds of requests.
 */
import { isCheap, s3Suite } from "./s3-suite.js";

s3Suite({ many: 25, largest: 100_000 }, isCheap);
