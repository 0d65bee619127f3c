/** Moves from a store with segments to one without; the matrix test has the other combinations. */
import { movesAsOne } from "./migrate-killed.js";

movesAsOne({ from: true, to: false });
