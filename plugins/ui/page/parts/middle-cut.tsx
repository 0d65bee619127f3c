/** A path on one line. If it is too long, the end of its scope and the middle of its id are left out. */
import { CutName, splitName } from "./name.js";
import { visible } from "./visible.js";

/** Longest shown scope, and longest tooltip, in characters. */
const MOST = 300;
/** Shorter paths fit nearly everywhere. They stay one text, which the browser can find and copy. */
const SHORT = 32;

/** @param path below the stage, e.g. `services/api/task` */
export function MiddleCut({ path }: { readonly path: string }) {
  const { scope, name } = splitName(path);
  if (path.length <= SHORT) {
    return (
      <>
        {scope !== "" && <span class="soft">{visible(scope)}/</span>}
        <b>{visible(name)}</b>
      </>
    );
  }
  return (
    <span class="middle-cut" title={visible(path.slice(0, MOST))}>
      {scope !== "" && <span class="soft cut-scope">{visible(scope.slice(-MOST))}/</span>}
      <b>
        <CutName text={name} />
      </b>
    </span>
  );
}
