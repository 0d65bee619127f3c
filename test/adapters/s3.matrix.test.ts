/** With more keys than a page holds, and large values: what that is nothing to is tried with few keys, in long runs with these, too. */
import { isLong } from "../helpers/sampling.js";
import { SIZED, s3Suite } from "./s3-suite.js";

s3Suite({}, isLong ? undefined : SIZED);
