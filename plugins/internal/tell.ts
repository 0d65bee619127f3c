/** Messages for people on standard error, which fit the terminal where it is one. */
import { platform } from "../../core/base/index.js";
import { plainText } from "./plain-text.js";
import { writeLine } from "./standard-streams.js";
import { wrapped } from "./wrapped.js";

/** Of the rows that go on. */
const INDENT = 2;
/** Frames of stacks and pieces of code are so far in: they stay as they are. */
const CODE = /^ {4}/;

export function tell(message: string): void {
  const { stderr } = platform().process;
  const columns = stderr.isTTY ? stderr.columns : undefined;
  for (const line of plainText(message).split("\n")) {
    for (const row of CODE.test(line) ? [line] : wrapped(line, { columns, indent: INDENT })) writeLine("stderr", row);
  }
}
