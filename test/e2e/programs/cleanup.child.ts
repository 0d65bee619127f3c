/** Registers cleanup functions everywhere and ends as its last argument says. */
import { engine, Resource } from "../../../plugins/index.js";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const mode = process.argv.at(-1);
const Server = Resource("e2e:Server", {
  create(context) {
    context.onCleanup(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      say("cleaned: handler, asynchronous");
    });
    return {};
  },
});

const app = await engine("cleanup");
if (mode !== "late") {
  app.onCleanup(() => say("cleaned: first"));
  app.onCleanup(() => say("cleaned: second"));
  app.onCleanup(() => Promise.reject(new Error("The port is gone.")));
  await Server("a");
}
await app.finalize();
if (mode === "late") app.onCleanup(() => say("cleaned: late"));
if (mode === "exits") {
  app.onCleanup(() => {
    throw new Error("The lamp is broken.");
  });
  process.exit(3);
}
if (mode === "serving") {
  setInterval(() => {}, 1000);
  say("serving");
}
