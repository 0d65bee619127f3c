/** A value as a tree of its members: what is long is shown in steps. */
import { useState } from "preact/hooks";
import { count } from "./format.js";
import { Icon } from "./icon.js";
import { LongText } from "./long-text.js";
import { visible } from "./visible.js";

/** Members that are shown at first, and with each step. */
const STEP = 100;
/** Levels that are open at first. */
const OPEN = 2;

/** How secrets, and what is not known yet, stand in values that people see. */
const isMasked = (text: string): boolean =>
  text.length < 500 && /^\((?:secret|Secret)\b.*\)$|^Secret\(.*\)$/.test(text);
const isUnknown = (text: string): boolean => text === "(known after apply)";

function Scalar({ value }: { readonly value: unknown }) {
  if (typeof value !== "string") return <span class="scalar">{String(value)}</span>;
  if (isMasked(value))
    return (
      <span class="secret">
        <Icon name="lock" size={13} /> {visible(value)}
      </span>
    );
  if (isUnknown(value)) return <span class="unknown">known after apply</span>;
  return value === "" ? <span class="soft">empty text</span> : <LongText text={value} />;
}

type Entries = readonly (readonly [name: string, value: unknown])[];

function entriesOf(value: unknown): Entries | undefined {
  if (Array.isArray(value)) return value.map((one, index) => [`${index}`, one] as const);
  return typeof value === "object" && value !== null ? Object.entries(value) : undefined;
}

/** @param level how deep it stands */
export function Value({ value, level = 0 }: { readonly value: unknown; readonly level?: number }) {
  const entries = entriesOf(value);
  if (!entries) return <Scalar value={value} />;
  if (entries.length === 0) return <span class="soft">{Array.isArray(value) ? "empty list" : "no members"}</span>;
  return <Members entries={entries} level={level} />;
}

function Members({ entries, level }: { readonly entries: Entries; readonly level: number }) {
  const [shown, setShown] = useState(STEP);
  return (
    <ul class="members">
      {entries.slice(0, shown).map(([name, value]) => (
        <Member key={name} name={name} value={value} level={level} />
      ))}
      {entries.length > shown && (
        <li>
          <button type="button" class="more" onClick={() => setShown(shown + STEP * 5)}>
            Show more ({count(entries.length - shown)} members)
          </button>
        </li>
      )}
    </ul>
  );
}

function Member({ name, value, level }: { readonly name: string; readonly value: unknown; readonly level: number }) {
  const entries = entriesOf(value);
  const [isOpen, setOpen] = useState(level < OPEN);
  const label = <span class="member-name">{visible(name.slice(0, 200))}</span>;
  if (!entries || entries.length === 0)
    return (
      <li class="member">
        {label}
        <span class="member-value">
          <Value value={value} level={level + 1} />
        </span>
      </li>
    );
  return (
    <li class="member is-group">
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="chevron" size={13} />
        {label}
        <span class="soft">{Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}</span>
      </button>
      {isOpen && <Members entries={entries} level={level + 1} />}
    </li>
  );
}
