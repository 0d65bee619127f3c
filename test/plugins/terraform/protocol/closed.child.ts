/** Starts a provider, asks it, closes it, and prints the handles that keep this process alive. */
import { launchProvider } from "../../../../plugins/terraform/protocol/index.js";
import { valueOfSchema } from "../fixture/value-of-schema.ts";

const [program = "", folder = "", how = "asked"] = process.argv.slice(2);
const client = await launchProvider({
  command: process.execPath,
  args: [program],
  env: { FIXTURE_WORLD: folder },
  folder,
  log: () => {},
});
const { fixture_behaviour: schema } = (await client.schema()).resources;
if (how === "crashes" && schema) {
  const config = valueOfSchema(schema, { name: "one", on_plan: "kill" });
  const asked = { typeName: "fixture_behaviour", type: config.type, prior: null, config: config.value };
  await client.plan({ ...asked, proposed: config.value, priorPrivate: new Uint8Array() }).catch(() => {});
}
await client.close();
// A closed socket and the pipes of an ended child are gone only some turns later.
for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
process.stdout.write(JSON.stringify(process.getActiveResourcesInfo()));
