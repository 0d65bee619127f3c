/** A run that may be killed, or its provider: `killed INPUT VICTIM`; prints what it came to, if it comes to that. */
import { writeSync } from "node:fs";
import { type RunInput, run } from "./run.ts";

const [text = "", victim] = process.argv.slice(2);
const { doom, ...input }: RunInput = JSON.parse(text);
const killed = doom && victim === "engine" ? { ...doom, victim: process.pid } : doom;
writeSync(1, JSON.stringify(await run({ ...input, ...(killed && { doom: killed }) })));
