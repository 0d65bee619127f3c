import { movesAsOne } from "./migrate-killed.js";

movesAsOne({ from: true, to: true }, { from: false, to: true }, { from: false, to: false });
