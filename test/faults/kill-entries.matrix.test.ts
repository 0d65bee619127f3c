import { killMatrix } from "./kill-matrix.js";
import { places } from "./places/fs-entries.js";
import { othersInEntries, samples } from "./scenarios.js";

killMatrix(places, [...samples, ...othersInEntries], { kills: [2] });
