import { killMatrix } from "./kill-matrix.js";
import { places } from "./places/fs-entries.js";
import { scenarios } from "./scenarios.js";

killMatrix(places, scenarios, { kills: [2] });
