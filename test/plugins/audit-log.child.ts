/** Creates a hundred resources, and logs each in the audit log FILE: `audit-log FILE`. */
import { auditLog } from "../../plugins/audit-log/index.js";
import { engine, memoryStore, Resource } from "../../plugins/index.js";

const [file = ""] = process.argv.slice(2);
const Item = Resource<{ readonly id: string }, object>("t:Item", { create: ({ id }) => ({ id }), delete: () => {} });
const app = await engine("shop", {
  stage: "dev",
  quiet: true,
  argv: [],
  stateStore: memoryStore(),
  plugins: [auditLog({ file })],
});
await Promise.all(Array.from({ length: 100 }, (_, index) => Item(`n${index}`, {})));
await app.finalize();
