/** With few keys; the matrix lists more than a page holds. */
import { s3Suite } from "./s3-suite.js";

s3Suite(50);
