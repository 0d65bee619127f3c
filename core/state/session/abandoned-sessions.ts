/** Sessions of this process that will write no more, though nobody could close them. */
import { perProcess } from "../../base/index.js";

const sessions = perProcess("given-up-sessions@1", () => new Set<string>());

/** The process lives on, so whoever meets the session could otherwise wait for it until its lease has run out. */
export function abandonSession(session: string): void {
  sessions().add(session);
}

export function isAbandoned(session: string): boolean {
  return sessions().has(session);
}
