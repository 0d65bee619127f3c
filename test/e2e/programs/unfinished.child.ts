/** Declares a resource and ends without finalize. */
import { engine, Resource } from "../../../plugins/index.js";

const Thing = Resource("e2e:Thing", { create: () => ({ made: true }), delete: () => {} });

const app = await engine(process.env.APP ?? "unfinished");
app.onCleanup(async () => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  process.stdout.write("cleaned\n");
});
await Thing("a");
process.stdout.write("ended\n");
