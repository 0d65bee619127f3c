/** A text of any length: its beginning, and more of it in steps. */
import { useState } from "preact/hooks";
import { count } from "./format.js";
import { visible, visibleLines } from "./visible.js";

const FIRST = 400;
/** How much more each step shows, as a multiple. */
const STEP = 8;
/** More of one text than this makes a page slow. */
const MOST = 400_000;

export function LongText({ text, isPlain = false }: { readonly text: string; readonly isPlain?: boolean }) {
  const [shown, setShown] = useState(FIRST);
  const isWhole = text.length <= shown;
  const part = isWhole ? text : text.slice(0, shown);
  const isCut = !isWhole && shown >= MOST;
  return (
    <>
      <span class={text.includes("\n") && !isPlain ? "lines" : "line"}>
        {isPlain ? visible(part) : visibleLines(part)}
        {!isWhole && "…"}
      </span>
      {!isWhole && !isCut && (
        <button type="button" class="more" onClick={() => setShown(Math.min(MOST, shown * STEP))}>
          Show more ({count(text.length - shown)} characters)
        </button>
      )}
      {isCut && <span class="soft"> {count(text.length - shown)} characters more are not shown.</span>}
    </>
  );
}
