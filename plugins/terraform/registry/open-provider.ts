/** Starts a provider for its schema alone. */
import type { ProviderClient } from "../protocol/index.js";
import type { ProviderSchema } from "../schema/index.js";

/** Starts the program at this path; whoever opens it closes it. */
export type OpenProvider = (executable: string) => Promise<ProviderClient>;

export interface ToldSchema {
  readonly protocol: 5 | 6;
  readonly schema: ProviderSchema;
}

/** What a provider says of itself. It is ended before this resolves. @throws EngineError `PROVIDER_FAILED`, `PACKAGE_MISSING` */
export async function schemaOf(executable: string, open: OpenProvider = openProvider): Promise<ToldSchema> {
  const client = await open(executable);
  try {
    return { protocol: client.protocol, schema: await client.schema() };
  } finally {
    await client.close();
  }
}

async function openProvider(executable: string): Promise<ProviderClient> {
  const { launchProvider } = await import("../protocol/index.js");
  // What it logs last is in the error, where it fails.
  return launchProvider({ command: executable, folder: process.cwd(), log: () => {} });
}
