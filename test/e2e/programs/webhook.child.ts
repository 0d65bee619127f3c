/** Tells a webhook how it ended, and by --destroy ends at once. */
import { engine, Resource } from "../../../plugins/index.js";
import { webhook } from "../../../plugins/webhook/index.js";

const Thing = Resource("e2e:Told", { create: ({ id }) => ({ id }), delete: () => {} });

const app = await engine("telling", { plugins: [webhook({ url: process.env.URL ?? "" })] });
await Thing("a");
await app.finalize();
