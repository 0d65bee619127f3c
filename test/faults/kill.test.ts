/** One scenario in files; the others, and the other kinds of stores, are in the files of the matrix. */
import { killMatrix } from "./kill-matrix.js";
import { places } from "./places/fs.js";
import { samples } from "./scenarios.js";

killMatrix(places, samples, { kills: [2] });
