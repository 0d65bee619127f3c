/** A run that ends at one of its points: `doomed FOLDER PLACES ORDER`; prints the points that it passed. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { defects } from "./defects.js";
import { FileWorld } from "./file-world.js";
import type { Order } from "./order.js";
import type { Places } from "./places/places.js";
import { Points } from "./points.js";
import { run } from "./run.js";
import { storeWithPoints } from "./store-points.js";

const [folder = "", name = "", text = ""] = process.argv.slice(2);
const { program, settings, isSealed, doom, failing, slow, defect } = JSON.parse(text) as Order;
const { places } = (await import(new URL(`places/${name}.js`, import.meta.url).href)) as { readonly places: Places };

const points = new Points(doom);
const patience = async (): Promise<void> => {
  const isOver = (turn: number): boolean => (settings === "beating" ? points.has("after set lease") : turn > 20);
  for (let turn = 0; !isOver(turn); turn++) await new Promise((resolve) => setImmediate(resolve));
};
const world = new FileWorld(folder, { points, failing, slow, patience });
const sound = places.open(folder);
const store = storeWithPoints(defect ? defects[defect].store(sound) : sound, points, places.halves(folder));
process.on("exit", () => points.writeTo(join(folder, "points.txt")));
const isAlone = doom?.ending === "throws";
const errors = await run({ folder, store, world, program, settings, isSealed, isAlone });
points.reach("the end");
await store.close?.();
if (errors.length > 0 && !failing) writeSync(2, `${errors.map(String).join("\n")}\n`);
