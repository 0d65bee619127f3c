import { EngineError } from "../../../core/base/index.js";

/** A service that refuses a request, for a chapter of a history and for one resource. */
export interface Refusal {
  /** The id of the resource. */
  readonly id: string;
  readonly phase: "create" | "update" | "delete";
  /**
   * `forbidden`, `quota`, `busy`: nothing is done. `lost`: it is done, and the answer says that it failed. `slow`: it
   * is done after a minute, unless the caller gives up before. `unmade`: nothing is done, and a create says so
   * (`NOT_CREATED`). `partly`: a delete removes a part, and reports the rest (`PartlyDeleted`).
   */
  readonly how: "forbidden" | "quota" | "busy" | "lost" | "slow" | "unmade" | "partly";
}

/** Milliseconds that a slow request takes before it has any effect. */
export const SLOW = 60_000;

const TEXTS: Readonly<Record<"forbidden" | "quota" | "busy", string>> = {
  forbidden: "403 forbidden",
  quota: "429 the quota is used up",
  busy: "503 try again later",
};

/** @param what such as "delete app/dev/x/a" */
export function refusalOf(refusals: readonly Refusal[], what: string): Refusal | undefined {
  return refusals.find(({ id, phase }) => what.startsWith(`${phase} `) && what.endsWith(`/${id}`));
}

/** The create fails, and reports that it made nothing. */
export function makesNothing(refusals: Parameters<typeof refusalOf>[0], fqn: string): boolean {
  return refusalOf(refusals, `create ${fqn}`)?.how === "unmade";
}

export function refused(how: Exclude<Refusal["how"], "lost" | "slow" | "partly">, what: string): Error {
  if (how === "unmade") return new EngineError("NOT_CREATED", `no ${what}: the quota is used up, and nothing was made`);
  return new Error(`no ${what}: ${TEXTS[how]}`);
}
