/** Names of resources: the id first, and the middle of a long name left out. */
import { visible } from "./visible.js";

/** Longest shown part of a name in characters. */
const LONGEST = 300;

/** Splits a path below the stage, e.g. `services/api/task`, into its scope and its id. */
export function splitName(path: string): { readonly scope: string; readonly name: string } {
  const end = path.lastIndexOf("/");
  return { scope: path.slice(0, Math.max(0, end)), name: path.slice(end + 1) };
}

/** Characters at the end that stay visible. */
const TAIL = 8;

/** One line. If it is too long for its place, its middle is left out, because names often differ only at their ends. */
export function CutName({ text }: { readonly text: string }) {
  const shown = text.length > LONGEST * 2 ? `${text.slice(0, LONGEST)}…${text.slice(-LONGEST)}` : text;
  const units = [...visible(shown)];
  const at = units.length > TAIL * 1.5 ? units.length - TAIL : 0;
  return (
    <span class="cut-name">
      {at > 0 && <span class="cut-head">{units.slice(0, at).join("")}</span>}
      <span class="cut-tail">{units.slice(at).join("")}</span>
    </span>
  );
}

/** A path below the stage on as many lines as it needs: the scope is less prominent than the id. */
export function PathName({ path }: { readonly path: string }) {
  const { scope, name } = splitName(path.slice(0, LONGEST * 2));
  return (
    <span class="path-name">
      {scope !== "" && <span class="soft">{visible(scope)}/</span>}
      <b>{visible(name)}</b>
    </span>
  );
}
