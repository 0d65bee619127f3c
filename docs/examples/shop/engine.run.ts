import { engine } from "scope-engine";
import { Database, Server } from "./cloud.ts";

const image = "debian-12";

const app = await engine("shop");
const db = await Database("db", { name: "orders", disk: 10 });

await engine.run("web", () =>
  Promise.all([
    Server("cart", { image, cpus: 1, database: db.url }),
    Server("search", { image, cpus: 4, database: db.url }),
    Server("checkout", { image, cpus: 8, database: db.url }),
  ]),
);

await app.finalize();
