import { fsSuite } from "./fs-suite.js";

fsSuite("fsStoreAt", {}, { grows: true });
fsSuite("fsStoreAt without append", { append: false }, {});
fsSuite("fsStoreAt with full durability", { durability: "full" }, { grows: true });
