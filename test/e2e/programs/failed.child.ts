/**
 * Has a run that fails, and prints the handlers that it leaves on the process; its last argument says what it does
 * then.
 */
import { setImmediate as turn } from "node:timers/promises";
import { engine, Resource } from "../../../plugins/index.js";

const EVENTS = ["SIGINT", "SIGTERM", "uncaughtException", "beforeExit"] as const;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const handlers = (): number => EVENTS.reduce((sum, event) => sum + process.listenerCount(event), 0);
const Thing = Resource("e2e:FailedThing", {
  create: ({ id }) => (id === "bad" ? Promise.reject(new Error("No paper.")) : { id }),
  delete: () => {},
});

const mode = process.argv.at(-1);
const app = await engine("failed");
if (mode === "cleanup") app.onCleanup(() => say("cleaned"));
await Thing("bad").catch(() => {});
if (mode === "unawaited") void app.finalize();
else await app.finalize().catch(() => say("caught"));

if (mode === "again") {
  await app.run(() => Thing("good"));
  await turn();
  say(`while it runs again: ${handlers()}`);
  await app.finalize();
}
await turn();
say(`handlers: ${handlers()}`);
if (mode === "throwing") {
  process.on("uncaughtException", ({ message }) => say(`mine: ${message}`));
  setTimeout(() => {
    throw new Error("It is not about the run.");
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
}
say("the program has ended");
