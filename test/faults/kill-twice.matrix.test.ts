/** A third of the scenarios, always the same ones; in long runs all. */

import { sampled } from "../helpers/checks/sampling.js";
import { killMatrix } from "./kill-matrix.js";
import { places } from "./places/fs.js";
import { scenarios } from "./scenarios.js";

killMatrix(places, sampled(scenarios, Math.ceil(scenarios.length / 3), "killed twice"), { kills: [1, 3] });
