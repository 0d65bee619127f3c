/** All tenants as a fleet: first a few, then more, and a stop if too many fail. */
import { fleet } from "scope-engine/fleet";
import { program } from "./tenant.ts";
import { readTenants } from "./tenants.ts";

export default fleet("tenants", {
  stages: async function* () {
    for (const tenant of await readTenants()) yield { stage: tenant.id, input: tenant };
  },
  program,
  waves: ["5%", "25%", "100%"],
  maxFailures: "10%",
});
