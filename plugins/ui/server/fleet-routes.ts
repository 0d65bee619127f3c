/** Maps the paths of `api/fleets` to their answers. */
import { FLEET_REQUESTS, type FleetOrder } from "../api/index.js";
import type { FleetSource } from "../sources/index.js";
import { Refusal } from "./answer.js";

/** Returns the value of `GET /api/fleets/…`; undefined if there is nothing at this address. */
export async function fleetAnswer(
  fleets: FleetSource,
  [app, what, ...more]: readonly string[],
  url: URL,
): Promise<unknown> {
  if (!app || more.length > 0) return undefined;
  if (what === undefined) return fleets.view(app);
  if (what === "stages") return fleets.stages(app, url.searchParams.get("after") ?? undefined);
  return what === "stage" ? fleets.stage(app, url.searchParams.get("name") ?? "") : undefined;
}

/** @throws Refusal 400 */
export function orderIn({ run, request }: Readonly<Record<string, unknown>>): FleetOrder {
  const known = FLEET_REQUESTS.find((one) => one === request);
  if (typeof run === "string" && known !== undefined) return { run, request: known };
  throw new Refusal(
    400,
    "INVALID_BODY",
    `A request to a fleet needs a text "run", and a "request": ${FLEET_REQUESTS.map((one) => `"${one}"`).join(", ")}.`,
  );
}
