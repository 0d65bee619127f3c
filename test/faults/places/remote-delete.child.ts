/** Deletes keys of a place: `remote-delete NAME FOLDER KEY…`. */
import type { Places } from "./places.js";

const [name = "", folder = "", ...keys] = process.argv.slice(2);
const { places } = (await import(new URL(`${name}.js`, import.meta.url).href)) as { readonly places: Places };
const store = places.open(folder);
await store.deleteMany(keys);
await store.close?.();
