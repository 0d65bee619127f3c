/** Names of files that Windows refuses, or takes for others without saying so. Pure. */
import { posix } from "node:path";

const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|$)/i;

/** What is wrong with a path, as the end of a sentence; undefined where Windows has it as it is written. */
export function windowsProblem(path: string): string | undefined {
  const names = path
    .replaceAll("\\", posix.sep)
    .replace(/^\/\/\?\//, "")
    .replace(/^[A-Za-z]:/, "")
    .split(posix.sep);
  for (const name of names.filter((one) => one !== "." && one !== "..")) {
    if (DEVICE.test(name)) return `"${name}" is a device`;
    const [character] = /[<>:"|?*\p{Cc}]/u.exec(name) ?? [];
    if (character !== undefined) return `no name has ${JSON.stringify(character)} in it`;
    if (/[. ]$/.test(name)) return `"${name}" loses its end`;
  }
  return undefined;
}
