/** Sessions of this process that will write no more, though they could not be closed. */
import { perProcess } from "../../base/index.js";

const sessions = perProcess("given-up-sessions@1", () => new Set<string>());

/** The process lives on: a run that meets the session would otherwise wait until its lease has run out. */
export function abandonSession(session: string): void {
  sessions().add(session);
}

export function isAbandoned(session: string): boolean {
  return sessions().has(session);
}
