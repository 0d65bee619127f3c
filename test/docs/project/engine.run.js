/** The project in which shell blocks of the pages run that have no program of their own. */
import { engine, Resource } from "scope-engine";

const Thing = Resource("shop:Thing", {
  create: ({ props }) => ({ name: props.name }),
  update: ({ props }) => ({ name: props.name }),
  delete: () => {},
});

const app = await engine("shop");
const db = await Thing("db", { name: "db" });
await engine.run("web", async () => {
  await Thing("logo", { name: "logo" });
  await Thing("page", { name: `page on ${db.name}` });
});
await app.finalize();
