/** Expected failures of a process in the world of users. */
import { isExpected as isExpectedAnywhere } from "../expected.ts";
import type { Chapter, Deployer } from "../history.ts";

/** Messages of services themselves. */
const NATURAL = /already exists|in use by|is there to be changed|aborted|it throws/;

export function isExpected(error: unknown, chapter: Chapter, deployer: Deployer): boolean {
  const { code = "", message = "" }: { code?: string; message?: string } = Object(error);
  if (code === "HANDLER_FAILED") {
    if (!/: (no|lost the reply to) /.test(message)) return false;
    return deployer.mishap > 0 || (chapter.refusals ?? []).length > 0 || NATURAL.test(message);
  }
  if (code === "NOT_CREATED") return (chapter.refusals ?? []).some(({ how }) => how === "unmade");
  if (code === "VETOED") return deployer.vetoes === true;
  if (code === "TOO_MANY_DELETES") return deployer.isLimited === true;
  if (code === "KIND_CONFLICT") return (deployer.again.length || deployer.own?.length || 0) > 0;
  return isExpectedAnywhere(error, chapter, deployer);
}

/** The service refuses to delete a resource that is in use. */
export function isInUse(error: unknown): boolean {
  return userIn(error) !== undefined;
}

/** Name of the resource that uses the one to be deleted. */
export function userIn(error: unknown): string | undefined {
  return /is in use by (\S+)/.exec(String(Object(error).message))?.[1];
}
