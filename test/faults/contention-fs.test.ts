/** Eight processes on one stage in files, some of them killed, asleep, taken over, or with a wrong clock. */
import { describe, it } from "vitest";
import { fsStoreAt } from "../../adapters/fs.js";
import { module } from "./contention-stores.js";
import { contentionSuite } from "./contention-suite.js";

contentionSuite({ describe, it }, { module, name: "segments", open: (location) => fsStoreAt(location) });
