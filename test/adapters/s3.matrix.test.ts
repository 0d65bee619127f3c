import { s3Suite } from "./s3-suite.js";

s3Suite({});
