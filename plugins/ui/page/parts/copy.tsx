/** A text to paste elsewhere, e.g. a command. */
import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.js";
import { visible } from "./visible.js";

/** Milliseconds for which the result is shown. */
const SAID = 1_500;

export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SAID);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  return (
    <span class="copy">
      <code>{visible(text)}</code>
      <button type="button" class="quiet" aria-label={label} title={label} onClick={copy}>
        <Icon name={state === "copied" ? "check" : "copy"} size={15} />
      </button>
      <span class="unseen" role="status">
        {state === "copied" ? "Copied" : state === "failed" ? "Copying failed" : ""}
      </span>
    </span>
  );
}
