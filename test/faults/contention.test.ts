/** One round of four processes on one stage; the files of the matrix have many of eight, in each kind of store. */
import { describe, it } from "vitest";
import { module, STORES } from "./contention-stores.js";
import { contentionSuite } from "./contention-suite.js";

contentionSuite({ describe, it }, { module, name: "segments", open: STORES.segments }, 1);
