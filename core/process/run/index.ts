/** A child process while somebody waits for it: its start, its lines, its log, its end. */
export { awaitLine, diedFirst, hasExited, lastWords } from "./await-line.js";
export { endGroup } from "./group.js";
export { OutputTail } from "./output-tail.js";
export { runChild } from "./run-child.js";
