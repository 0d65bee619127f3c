/** Which keys do what. */
import { Dialog } from "../parts/dialog.js";
import { Icon } from "../parts/icon.js";
import type { Shortcuts } from "./shortcuts.js";

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["/", "Ctrl K"], "Search"],
  [["j", "k"], "Next and previous row, as the arrows"],
  [["Page Up", "Page Down"], "A page of rows"],
  [["Home", "End"], "First and last row"],
  [["Enter"], "Open a row"],
  [["←", "→"], "Close and open a scope"],
  [["+", "−", "0"], "Zoom of a graph; 0 shows all of it"],
  [["Esc"], "Close, or go up"],
  [["?"], "This help"],
];

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
        Keys of one character, such as <kbd>/</kbd> and <kbd>?</kbd>
      </label>
    </Dialog>
  );
}
