import { conductorsAreKilled } from "./killed-suite.js";

/** Spread over the run: odd ones after the write has taken effect, even ones before. */
const kills = Array.from({ length: 20 }, (_, index) => 1 + index * 41);
conductorsAreKilled(200, kills);
