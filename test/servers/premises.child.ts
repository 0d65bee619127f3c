/** Starts two programs, prints their traces, and waits for its end. */
import { setInterval } from "node:timers";
import { openPremises } from "./premises.js";

const premises = await openPremises("test");
const residents = [await premises.start("sleep", ["1000"]), await premises.start("sleep", ["1000"])];
process.stdout.write(`${JSON.stringify({ pids: residents.map(({ pid }) => pid), folder: premises.folder })}\n`);
setInterval(() => {}, 1_000);
