/** A text of any length: its beginning, and more of it in steps. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { counted } from "./time.js";
import { visible, visibleLines } from "./visible.js";

const FIRST = 400;
/** Factor by which each step shows more. */
const STEP = 8;
/** Longer texts make a page slow. */
const MOST = 400_000;

interface LongTextProps {
  readonly text: string;
  readonly isPlain?: boolean;
  /** Number of further characters that are not loaded. */
  readonly beyond?: number;
  /** Shown after the end of the text. */
  readonly children?: ComponentChildren;
}

export function LongText({ text, isPlain = false, beyond = 0, children }: LongTextProps) {
  const [shown, setShown] = useState(FIRST);
  const isWhole = text.length <= shown;
  const part = isWhole ? text : text.slice(0, shown);
  const isCut = !isWhole && shown >= MOST;
  const left = counted(text.length - shown + beyond, "character");
  return (
    <>
      <span class={text.includes("\n") && !isPlain ? "lines" : "line"}>
        {isPlain ? visible(part) : visibleLines(part)}
        {!isWhole && "…"}
      </span>
      {!isWhole && !isCut && (
        <button type="button" class="more" onClick={() => setShown(Math.min(MOST, shown * STEP))}>
          Show more ({left})
        </button>
      )}
      {isCut && <span class="soft"> Not shown: {left} more.</span>}
      {isWhole && children}
    </>
  );
}
