/** With more keys than a page holds, large values, and hundreds of requests; all tests in long runs. */
import { isLong } from "../helpers/checks/sampling.js";
import { isSizedOrCostly, s3Suite } from "./s3-suite.js";

s3Suite({}, isLong ? undefined : isSizedOrCostly);
