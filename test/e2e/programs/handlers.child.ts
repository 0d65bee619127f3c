/** Prints how many handlers of the process there are, at each step of a program's life. */
import { engine, isEngineError, memoryStore, Resource } from "../../../plugins/index.js";

const EVENTS = ["SIGINT", "SIGTERM", "uncaughtException", "unhandledRejection", "beforeExit", "exit"] as const;
const before = EVENTS.map((event) => process.listenerCount(event));
const count = (): number =>
  EVENTS.reduce((sum, event, at) => sum + process.listenerCount(event) - (before[at] ?? 0), 0);
const say = (when: string): void => void process.stdout.write(`${when}: ${count()}\n`);
const stateStore = memoryStore();
const Thing = Resource("e2e:HandlersThing", { create: () => ({}), delete: () => {} });

say("before engine()");
const app = await engine("handlers", { stateStore });
say("after engine()");
await app.finalize();
say("after finalize()");
await app.run(() => Thing("a"));
say("after app.run() on a finalized app");
await app.finalize();
say("after its finalize()");
app.onCleanup(() => {});
say("after onCleanup() on a finalized app");

const embedded = await engine("embedded", { stateStore, quiet: true, argv: [], env: {} });
say("with another app that is given its argv");
await embedded.finalize();

try {
  await engine("no/name", { stateStore });
} catch (error) {
  say(`after ${isEngineError(error) ? error.code : error}`);
}
try {
  await engine("unreadable", { stateStore: { ...stateStore, get: () => Promise.reject(new Error("No disk.")) } });
} catch {
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  say("after an engine() that could not start");
}
