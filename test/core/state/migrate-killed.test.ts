/** From a store with segments to one without; the matrix has the other ways. */
import { movesAsOne } from "./migrate-killed.js";

movesAsOne({ from: true, to: false });
