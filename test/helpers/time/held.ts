import type { StageHolder } from "../../../core/base/index.js";
import type { Held } from "../../../core/contract/index.js";

/** Another run that holds a stage, with every member of its description. */
export const holder: Required<StageHolder> = {
  session: "5e55",
  command: "up",
  user: "ada",
  host: "here",
  pid: 1,
  since: "2026-01-02T03:04:05.678Z",
  ci: "https://ci.test/1",
  process: "unknown",
  ttl: 20_000,
  version: "1.2.3",
};

/** The same, as events report it. */
export function held(owner = "ada@here (process 1)", since = holder.since): Held {
  return { owner, since, holder };
}
