/**
 * Makes resources one after the other, each of which prints, and writes the remaining listeners of its streams into a
 * file.
 */
import { writeFileSync } from "node:fs";
import { engine, Resource } from "../../../plugins/index.js";

const listeners = () => [process.stdout, process.stderr].flatMap((stream) => stream.listeners("error"));
const Thing = Resource("e2e:PrintingThing", {
  async create({ id, log }) {
    log(`This is ${id}.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { id };
  },
});

let heard = 0;
const own = () => {
  heard++;
};
if (process.env.LISTENS) process.stdout.on("error", own);
const before = listeners();
const app = await engine("printing");
for (const id of ["a", "b", "c"]) await Thing(id);
// Causes warnings on standard error.
app.onCleanup(() => Promise.reject(new Error("The port is gone.")));
app.onCleanup(() => Promise.reject(new Error("So is the ship.")));
await app.finalize();
process.once("exit", () => {
  const left = listeners().filter((one) => !before.includes(one)).length;
  writeFileSync("listeners.json", JSON.stringify({ left, own: listeners().includes(own), heard }));
});
