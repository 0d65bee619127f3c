/** Notifies a webhook of its outcome, and with --destroy ends at once. */
import { engine, Resource } from "../../../plugins/index.js";
import { webhook } from "../../../plugins/webhook/index.js";

// An answer is then never too late, however busy the machine is.
if (process.env.PATIENT) {
  const begin = setTimeout;
  Object.assign(globalThis, { setTimeout: (act: () => void, after: number) => begin(act, after * 30) });
}

const Thing = Resource("e2e:Told", { create: ({ id }) => ({ id }), delete: () => {} });

const app = await engine("telling", { plugins: [webhook({ url: process.env.URL ?? "" })] });
await Thing("a");
await app.finalize();
