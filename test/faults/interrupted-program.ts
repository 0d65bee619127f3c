/** A program that is interrupted somewhere: it logs when its handlers begin and end, and when a signal comes. */

/** Number of resources in the first run; the second one updates some, drops some, and makes others. */
export const COUNT = 24;

/**
 * Arguments: the operation of the run (`create`, `change`, `destroy`), `deaf` for a handler that does not listen, and a
 * number of lines. At that number, the next handler that begins or is about to end waits until a signal has come;
 * without one the program does.
 */
export const interruptedProgram = `
import { appendFileSync } from "node:fs";
import { engine, Resource } from "scope-engine";

const [what, ...how] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const isDeaf = how.includes("deaf");
let holdsAfter = Number(how.find((word) => /^\\d+$/.test(word)) ?? Number.POSITIVE_INFINITY);
let lines = 0;
let hasHeard = false;
const log = (line) => {
  lines++;
  appendFileSync("log.txt", line + "\\n");
};
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    hasHeard = true;
    log("signal " + signal);
  });
}
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const holdIfDue = async () => {
  if (lines < holdsAfter) return;
  holdsAfter = Number.POSITIVE_INFINITY;
  while (!hasHeard) await sleep(1);
};

const handled = async (phase, id, milliseconds) => {
  log("start " + phase + ":" + id);
  await holdIfDue();
  await sleep(milliseconds);
  await holdIfDue();
  log("end " + phase + ":" + id);
};
const Step = Resource("test:Step", {
  async create({ id, props }) { await handled("create", id, props.takes); return { id }; },
  async update({ id, props }) { await handled("update", id, props.takes); return { id }; },
  async delete({ id, props }) { await handled("delete", id, props.takes); },
});

log("ready");
const app = await engine("interrupted", { stage: "dev", concurrency: 6 });
const from = what === "create" ? 0 : ${COUNT / 3};
const declared = [];
for (let n = from; n < from + ${COUNT}; n++) {
  const one = Step("r" + n, { takes: 1 + (n * 7) % 9, text: n % 2 ? what : "same" });
  declared.push(one);
  if (n % 4 === 0) await one;
}
if (isDeaf) declared.push(Step("deaf", { takes: 3_600_000 }));
await Promise.all(declared);
await app.finalize();
await holdIfDue();
log("finished");
`;
