/** Shows the differences between two values; for texts, line by line. */
import { useState } from "preact/hooks";
import type { Change } from "../../api/index.js";
import { counted } from "./time.js";
import { Value } from "./value.js";
import { visible, visibleLines } from "./visible.js";

const STEP = 50;

export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const [shown, setShown] = useState(STEP);
  return (
    <div class="changes">
      {changes.slice(0, shown).map((change) => (
        <ChangeRow key={change.path} change={change} />
      ))}
      {changes.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP * 4)}>
          Show more ({counted(changes.length - shown, "change")})
        </button>
      )}
    </div>
  );
}

/** Formats a pointer for people: `/tags/a~1b` becomes tags.a/b. */
export function pathName(pointer: string): string {
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}

function ChangeRow({ change }: { readonly change: Change }) {
  const name = visible(pathName(change.path)) || "value";
  return (
    <div class="change">
      <span class="change-path">{name}</span>
      {change.lines ? <Lines lines={change.lines} /> : <Sides change={change} />}
    </div>
  );
}

function Sides({ change }: { readonly change: Change }) {
  const [hasOld, hasNew] = ["old" in change && change.old !== undefined, "new" in change && change.new !== undefined];
  return (
    <div class="sides">
      {hasOld && (
        <div class="side" data-side="old">
          <span class="sign">
            <span aria-hidden="true">−</span>
            <span class="unseen">before: </span>
          </span>
          <Value value={change.old} />
        </div>
      )}
      {hasNew && (
        <div class="side" data-side="new">
          <span class="sign">
            <span aria-hidden="true">+</span>
            <span class="unseen">after: </span>
          </span>
          <Value value={change.new} />
        </div>
      )}
    </div>
  );
}

const SIDES: Readonly<Record<string, string>> = { "-": "old", "+": "new" };

function Lines({ lines }: { readonly lines: readonly string[] }) {
  const [shown, setShown] = useState(STEP);
  return (
    <div class="diff">
      {lines.slice(0, shown).map((line, index) => (
        <div key={index} class="diff-line" data-side={SIDES[line[0] ?? ""]}>
          {visibleLines(line.slice(0, 2_000)) || " "}
        </div>
      ))}
      {lines.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP * 8)}>
          Show more ({counted(lines.length - shown, "line")})
        </button>
      )}
    </div>
  );
}
