/** One scenario in files; the matrix has the others, and the other kinds of stores. */
import { killMatrix } from "./kill-matrix.js";
import { places } from "./places/fs.js";
import { samples } from "./scenarios.js";

killMatrix(places, samples, { kills: [2] });
