/** The list of tenants, which a real system would keep in a database. */
import { readFile } from "node:fs/promises";

/** Largest number of connections of a tenant, to each server. */
export const connectionsOf = { small: 5, large: 50 } as const;

export interface Tenant {
  /** Name of the tenant's stage. */
  readonly id: string;
  readonly plan: keyof typeof connectionsOf;
  readonly hostname: string;
}

const file = new URL("tenants.json", import.meta.url);

export async function readTenants(from: URL = file): Promise<readonly Tenant[]> {
  const list: unknown = JSON.parse(await readFile(from, "utf8"));
  if (!Array.isArray(list)) throw new Error(`${from} is not a list of tenants`);
  const tenants = list.map((entry: unknown, index) => {
    if (!isTenant(entry)) throw new Error(`${from}: entry ${index + 1} needs an id, a plan and a hostname`);
    return entry;
  });
  for (const key of ["id", "hostname"] as const) {
    const twice = tenants.find((one, index) => tenants.findIndex((other) => other[key] === one[key]) !== index);
    if (twice) throw new Error(`${from}: two tenants have the ${key} ${twice[key]}`);
  }
  return tenants;
}

function isTenant(entry: unknown): entry is Tenant {
  if (typeof entry !== "object" || entry === null) return false;
  const { id, plan, hostname } = entry as Partial<Record<string, unknown>>;
  return (
    typeof id === "string" &&
    typeof plan === "string" &&
    Object.hasOwn(connectionsOf, plan) &&
    typeof hostname === "string"
  );
}
