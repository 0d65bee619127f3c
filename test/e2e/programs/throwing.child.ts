/** Ends with an uncaught error, as its last argument says, while a handler is running. */
import { setTimeout as sleep } from "node:timers/promises";
import { engine, Resource } from "../../../plugins/index.js";

let started = (): void => {};
const running = new Promise<void>((resolve) => {
  started = resolve;
});
const Thing = Resource("e2e:ThrowingThing", {
  async create({ signal }) {
    await new Promise<void>((resolve) => {
      const alive = setInterval(() => {}, 1000);
      signal.addEventListener("abort", () => {
        clearInterval(alive);
        resolve();
      });
      started();
    });
    return { made: true };
  },
  delete: () => {},
});
const Broken = Resource("e2e:BrokenThing", {
  create: () => {
    throw new Error("No paper.");
  },
});

let waiting = 0;
const Waiting = Resource("e2e:WaitingThing", {
  create: ({ signal }) => {
    waiting++;
    return sleep(120_000, {}, { signal });
  },
  delete: () => {},
});
const Late = Resource("e2e:LateThing", {
  create: async () => {
    while (waiting < 2) await sleep(5);
    throw new Error("No ink.");
  },
});

const app = await engine("throwing");
app.onCleanup(() => void process.stdout.write("cleaned\n"));
const thing = Thing("a");
await running;
const [one, two] = [Promise.race([thing]), Promise.race([thing])];
const error = Object.assign(new Error("The program is broken."), { app });

switch (process.argv.at(-1)) {
  case "thrown":
    setImmediate(() => {
      throw error;
    });
    break;
  case "rejected":
    void Promise.reject(error);
    break;
  case "top-level":
    throw error;
  case "several":
    for (const promise of [one, two]) {
      void promise.then(() => {
        throw new Error("And so is this.");
      });
    }
    throw error;
  case "resource":
    await Broken("b");
    break;
  case "several resources":
    await Promise.all([Waiting("c"), Waiting("d"), Late("b")]);
    break;
}
await thing;
