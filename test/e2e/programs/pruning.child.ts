/** Declares three resources, or prunes them; a delete takes until its signal. */
import { engine, Resource } from "../../../plugins/index.js";

const Thing = Resource("e2e:PrunedThing", {
  create: ({ id }) => ({ id }),
  delete: ({ signal }) =>
    new Promise<void>((resolve) => {
      const alive = setInterval(() => {}, 1000);
      signal.addEventListener("abort", () => {
        clearInterval(alive);
        resolve();
      });
      process.stdout.write("deleting\n");
    }),
});

const app = await engine("pruning");
if (process.argv.at(-1) === "declare") for (const id of ["a", "b", "c"]) await Thing(id);
await app.finalize();
