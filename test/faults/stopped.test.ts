/** In files; the matrix has the other kinds of stores. */
import { places } from "./places/fs.js";
import { stopping } from "./stopped-suite.js";

stopping(places);
