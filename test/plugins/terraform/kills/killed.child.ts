/**
 * A run that may be killed, or whose provider may be: `killed INPUT VICTIM`; prints its outcome if it gets that far.
 */
import { writeSync } from "node:fs";
import { type RunInput, run } from "./run.ts";

const [text = "", victim] = process.argv.slice(2);
const { doom, ...input }: RunInput = JSON.parse(text);
const killed = doom && victim === "engine" ? { ...doom, victim: process.pid } : doom;
writeSync(1, JSON.stringify(await run({ ...input, ...(killed && { doom: killed }) })));
