import { conductorsAreKilled } from "./killed-suite.js";

/** Spread over the run, early and late, odd and even. */
const kills = Array.from({ length: 20 }, (_, index) => 1 + index * 41 + (index % 2));
conductorsAreKilled(200, kills);
