/** State in files without append: one file an entry. */
import { fsPlaces } from "./fs.js";

export const places = fsPlaces("fs-entries", { append: false });
