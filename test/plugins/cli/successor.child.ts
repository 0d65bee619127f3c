/** Succeeds another process, as on Windows, and exits on the first signal that it gets by message. */
import { obeyPredecessor } from "../../../plugins/cli/watch/relayed-signals.js";

obeyPredecessor("win32");
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(signal === "SIGINT" ? 42 : 43));
setInterval(() => {}, 1_000);
