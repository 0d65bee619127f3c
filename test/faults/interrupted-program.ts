/** A program that is interrupted somewhere: it logs when its handlers begin and end, and when a signal comes. */

/** Resources of the first run; the second one updates some, drops some, and makes others. */
export const COUNT = 24;

/** Arguments: what the run does (`create`, `change`, `destroy`), `deaf` for a handler that does not listen. */
export const interruptedProgram = `
import { appendFileSync } from "node:fs";
import { engine, Resource } from "scope-engine";

const [what, isDeaf] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const log = (line) => appendFileSync("log.txt", line + " " + performance.now().toFixed(1) + "\\n");
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => log("signal " + signal));

const handled = async (phase, id, milliseconds) => {
  log("start " + phase + ":" + id);
  await new Promise((done) => setTimeout(done, milliseconds));
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
if (isDeaf) declared.push(Step("deaf", { takes: 60_000 }));
await Promise.all(declared);
await app.finalize();
log("finished");
`;
