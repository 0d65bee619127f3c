/** Two moments; the matrix has more of them, and more stages. */
import { conductorsAreKilled } from "./killed-suite.js";

conductorsAreKilled(30, [25, 120]);
