import { codeOf, EngineError, isEngineError, messageOf } from "../../core/base/index.js";

/**
 * @param act the failed action, e.g. "read"
 * @returns `cause` itself if it is already an EngineError
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
    `Could not create ${path}: this file system has no hard links (${codeOf(cause)}), so two runs could both create the file. ` +
      "Keep the state on another disk with fsStore({ root }), or in Redis or S3.",
    { cause },
  );
}

function adviceOn(cause: unknown): string {
  switch (codeOf(cause)) {
    case "ENOSPC":
    case "EDQUOT":
      return "Free space on the disk, then run again.";
    case "EACCES":
    case "EPERM":
      return "Allow this user to read and write the folder. On Windows, also close programs that have the file open. Then run again.";
    case "EROFS":
      return "The disk is read-only. Keep the state on another disk with fsStore({ root }).";
    case "EMFILE":
    case "ENFILE":
      return "Too many files are open. Raise the limit (ulimit -n), then run again.";
    case "ENAMETOOLONG":
      return "Choose shorter names, or a root folder with a shorter path.";
    default:
      return "Check the disk and the folder, then run again.";
  }
}
