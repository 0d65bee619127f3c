/** Seals a state that was never sealed. */
import type { EngineOptions } from "../../core/contract/index.js";
import { keyNeeded } from "../../core/state/index.js";
import { COST } from "./password.js";
import { openerOf } from "./password-scopes.js";
import { secretsWith } from "./plugin.js";
import type { Begin } from "./rotate.js";

/** What finds the state of a stage, and the password or key that is to seal it. */
export interface SealOptions
  extends Pick<
    EngineOptions,
    | "stage"
    | "stateStore"
    | "password"
    | "key"
    | "profile"
    | "rootDir"
    | "lockTimeout"
    | "env"
    | "signal"
    | "strictState"
  > {
  /** Told how many resources are recorded, before anything is written; keeps the state as it is by throwing. */
  approve?(resources: number): Promise<void> | void;
  /** Cost of scrypt (N). Default: 2^17. */
  readonly cost?: number;
}

/** False where it is sealed already. A run of its own, which declares nothing and prunes nothing. */
export async function sealNow(
  begin: Begin,
  appName: string,
  { approve, cost = COST, ...options }: SealOptions,
): Promise<boolean> {
  let isSealed = false;
  const accepts = async (resources: number): Promise<boolean> => {
    await approve?.(resources);
    isSealed = true;
    return true;
  };
  const app = await begin(appName, { ...options, argv: [] }, secretsWith({ cost, accepts, atOnce: () => isSealed }));
  const isGiven = openerOf(app) !== undefined;
  await app.finalize({ noop: true });
  if (isGiven) return isSealed;
  throw keyNeeded(app.chain.join("/"));
}
