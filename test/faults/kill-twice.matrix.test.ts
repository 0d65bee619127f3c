import { killMatrix } from "./kill-matrix.js";
import { places } from "./places/fs.js";
import { scenarios } from "./scenarios.js";

killMatrix(places, scenarios, { kills: [1, 2] });
