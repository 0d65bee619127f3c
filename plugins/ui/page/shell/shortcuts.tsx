/** Keyboard shortcuts of all pages. Single keys can be switched off, for users who press them by accident. */

import { useEffect, useState } from "preact/hooks";
import { store, stored } from "../data/stored.js";
import { Dialog } from "../parts/dialog.js";
import { Icon } from "../parts/icon.js";

const KEY = "scope-engine-single-keys";

export interface Shortcuts {
  readonly hasSingleKeys: boolean;
  setSingleKeys(has: boolean): void;
}

interface Actions {
  search(): void;
  help(): void;
  back(): void;
}

export function useShortcuts(actions: Actions): Shortcuts {
  const [hasSingleKeys, setKeys] = useState(() => stored(KEY) !== "off");
  useEffect(() => {
    const keys: Readonly<Record<string, (event: KeyboardEvent) => boolean>> = {
      "/": () => done(actions.search),
      "?": () => done(actions.help),
      j: ({ target }) => enterRows(target),
      k: ({ target }) => enterRows(target),
      ArrowDown: ({ target }) => enterRows(target),
    };
    const isUsed = (event: KeyboardEvent): boolean => {
      const { key, target } = event;
      const isModified = event.ctrlKey || event.metaKey;
      if (isModified) return key === "k" && done(actions.search);
      if (event.altKey || isTyping(target)) return false;
      if (key === "Escape") return done(actions.back);
      return hasSingleKeys && keys[key]?.(event) === true;
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (isUsed(event)) event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [actions, hasSingleKeys]);
  const setSingleKeys = (has: boolean): void => {
    store(KEY, has ? "on" : "off");
    setKeys(has);
  };
  return { hasSingleKeys, setSingleKeys };
}

function done(action: () => void): true {
  action();
  return true;
}

/** Moves the focus into the rows of the page if no element has it. */
function enterRows(target: EventTarget | null): boolean {
  const isFree = target === document.body || (target instanceof Element && target.matches("main, h1"));
  const row = isFree ? document.querySelector<HTMLElement>('main .rows.is-main [data-row][tabindex="0"]') : null;
  row?.focus();
  return row !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, select, textarea, [contenteditable]");
}

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["/", "Ctrl K"], "Search"],
  [["j", "k"], "Next and previous row, like the arrow keys"],
  [["Page Up", "Page Down"], "Next and previous page of rows"],
  [["Home", "End"], "First and last row"],
  [["Enter"], "Open a row"],
  [["←", "→"], "Close and open a scope"],
  [["+", "−", "0"], "Zoom a graph; 0 shows all of it"],
  [["Esc"], "Close, or go up"],
  [["?"], "This help"],
];

/** Lists the shortcuts. */
export function Help({ shortcuts, onClose }: { readonly shortcuts: Shortcuts; onClose(): void }) {
  return (
    <Dialog label="Keyboard" className="help" onClose={onClose}>
      <header class="dialog-head">
        <h2>Keyboard</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={shortcuts.hasSingleKeys}
          onChange={(event) => shortcuts.setSingleKeys(event.currentTarget.checked)}
        />
        Use keys of one character, such as <kbd>/</kbd> and <kbd>?</kbd>
      </label>
    </Dialog>
  );
}
