/** A compact list of actions or differences: one line each, details on click, with a filter. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../parts/icon.js";
import { PathName } from "../parts/name.js";
import { Pill } from "../parts/pill.js";
import { count, counted } from "../parts/time.js";
import { visible } from "../parts/visible.js";

export interface ListedAction {
  readonly key: string;
  /** Its action, such as `delete`; the filter has a button for each. */
  readonly word: string;
  /** Path below the stage. */
  readonly path: string;
  readonly kind: string;
  /** The reason in one line; the details contain all of it. */
  readonly note: string;
  readonly marks?: ComponentChildren;
  details(): ComponentChildren;
}

interface ActionListProps {
  readonly label: string;
  /** In this order. */
  readonly actions: readonly ListedAction[];
  /** The order of the filter's buttons. */
  readonly words: readonly string[];
  /** Shown after the buttons of the filter. */
  readonly aside?: ComponentChildren;
}

/** So many lines are added at once. */
const STEP = 500;

/** Longest line of a note in characters. */
const LONGEST = 300;

export function ActionList({ label, actions, words, aside }: ActionListProps) {
  const [word, setWord] = useState<string | undefined>();
  const [text, setText] = useState("");
  const [most, setMost] = useState(STEP);
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(actions.length === 1 ? actions.map(({ key }) => key) : []),
  );
  const found = actions.filter((one) => (word === undefined || one.word === word) && hasText(one, text));
  const shown = found.slice(0, most);
  const isAllOpen = shown.length > 0 && shown.every(({ key }) => open.has(key));
  const toggle = (key: string): void =>
    setOpen((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]));
  return (
    <section class="action-list" aria-label={label}>
      <div class="toolbar">
        <Chips actions={actions} words={words} chosen={word} onChoose={setWord} />
        {aside}
        <span class="soft small" role="status">
          {found.length < actions.length && `${count(found.length)} of ${counted(actions.length, "resource")}`}
        </span>
        <span class="action-filter">
          <label class="field">
            <Icon name="search" size={15} />
            <input
              type="search"
              placeholder="Filter"
              aria-label={`Filter: ${label}`}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <button
            type="button"
            class="button"
            disabled={shown.length === 0}
            onClick={() => setOpen(new Set(isAllOpen ? [] : shown.map(({ key }) => key)))}
          >
            {isAllOpen ? "Collapse all" : "Expand all"}
          </button>
        </span>
      </div>
      {found.length > 0 && (
        <ul class="card actions">
          {shown.map((one) => (
            <Line key={one.key} action={one} isOpen={open.has(one.key)} onToggle={() => toggle(one.key)} />
          ))}
        </ul>
      )}
      {found.length > most && (
        <button type="button" class="more" onClick={() => setMost(most + STEP)}>
          Show more ({counted(found.length - most, "resource")})
        </button>
      )}
    </section>
  );
}

function hasText({ path, kind, note }: ListedAction, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return wanted === "" || [path, kind, note].some((one) => one.toLowerCase().includes(wanted));
}

interface ChipsProps {
  readonly actions: readonly ListedAction[];
  readonly words: readonly string[];
  readonly chosen: string | undefined;
  onChoose(word: string | undefined): void;
}

/** The summary of the list; each count filters it. */
function Chips({ actions, words, chosen, onChoose }: ChipsProps) {
  return words.map((word) => {
    const number = actions.filter((one) => one.word === word).length;
    if (number === 0) return null;
    const isChosen = chosen === word;
    return (
      <button
        key={word}
        type="button"
        class="chip"
        aria-pressed={isChosen}
        onClick={() => onChoose(isChosen ? undefined : word)}
      >
        <Pill word={word} /> <b>{count(number)}</b>
      </button>
    );
  });
}

interface LineProps {
  readonly action: ListedAction;
  readonly isOpen: boolean;
  onToggle(): void;
}

function Line({ action, isOpen, onToggle }: LineProps) {
  const { word, path, kind, note, marks } = action;
  return (
    <li class="action" data-action={word}>
      <button type="button" class="action-line" aria-expanded={isOpen} onClick={onToggle}>
        <Icon name="chevron" size={14} />
        <Pill word={word} />
        <span class="action-name">
          <PathName path={path} /> {marks}
        </span>
        <code class="soft">{visible(kind.slice(0, 120))}</code>
        <span class="action-note">{visible(note.slice(0, LONGEST))}</span>
      </button>
      {isOpen && <div class="action-body">{action.details()}</div>}
    </li>
  );
}
