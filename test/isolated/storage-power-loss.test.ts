/**
 * A power loss at every fifteenth moment, in two kinds of stores; the matrix has all of them, and faults that such
 * tests would notice.
 */
import { powerLosses } from "../faults/storage-power-loss.js";

powerLosses(15, ["segments, under a key", "entries"]);
