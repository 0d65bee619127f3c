import { codeOf, EngineError, isEngineError, messageOf } from "../../core/base/index.js";

/**
 * @param act what was tried, e.g. "read"
 * @returns `cause` itself where it says all of that already
 */
export function storeFailed(act: string, path: string, cause: unknown): EngineError {
  if (isEngineError(cause)) return cause;
  return new EngineError("STORE_FAILED", `Could not ${act} ${path}: ${messageOf(cause)}. ${adviceOn(cause)}`, {
    cause,
  });
}

export function noHardLinks(path: string, cause: unknown): EngineError {
  return new EngineError(
    "STORE_FAILED",
    `Could not create ${path}: this file system has no hard links (${codeOf(cause)}), and without them two runs could both create it. ` +
      "Keep the state on another disk, fsStore({ root }), or in Redis or S3.",
    { cause },
  );
}

function adviceOn(cause: unknown): string {
  switch (codeOf(cause)) {
    case "ENOSPC":
    case "EDQUOT":
      return "Make room on the disk, then run again.";
    case "EACCES":
    case "EPERM":
      return "Give this user the right to read and write the folder, and on Windows end what has the file open, then run again.";
    case "EROFS":
      return "The disk is read-only: name a folder on another one, fsStore({ root }).";
    case "EMFILE":
    case "ENFILE":
      return "Too many files are open: raise the limit (ulimit -n), then run again.";
    case "ENAMETOOLONG":
      return "Choose shorter names, or a root folder with a shorter path.";
    default:
      return "Check the disk and the folder, then run again.";
  }
}
