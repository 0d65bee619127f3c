import { killMatrix } from "./kill-matrix.js";
import { places } from "./places/fs.js";
import { others } from "./scenarios.js";

killMatrix(places, others, { kills: [2] });
