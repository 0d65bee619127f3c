/** A value as a tree of its members; long values are shown in steps. */
import { useState } from "preact/hooks";
import type { ValuePart } from "../../api/index.js";
import { type Entries, entriesOf, type PartSource, Rest, textOf } from "../list/rows.js";
import { Icon } from "./icon.js";
import { LongText } from "./long-text.js";
import { count, counted } from "./time.js";
import { visible } from "./visible.js";

/** Members shown at first, and with each step. */
const STEP = 100;
/** Levels that are open at first. */
const OPEN = 2;

/** Markers of secrets and unknown values in shown values. */
const isMasked = (text: string): boolean =>
  text.length < 500 && /^\((?:secret|Secret)\b.*\)$|^Secret\(.*\)$/.test(text);
const isUnknown = (text: string): boolean => text === "(known after apply)";

interface Placed {
  /** JSON Pointer of the value. */
  readonly path?: string;
  /** Absent if the value is complete. */
  readonly source?: PartSource | undefined;
}

function Scalar({ value, path = "", source }: Placed & { readonly value: unknown }) {
  if (typeof value !== "string") return <span class="scalar">{String(value)}</span>;
  if (isMasked(value))
    return (
      <span class="secret">
        <Icon name="lock" size={13} /> {visible(value)}
      </span>
    );
  if (isUnknown(value)) return <span class="unknown">known after apply</span>;
  if (value === "") return <span class="soft">empty text</span>;
  return source ? <CutText whole={value} path={path} source={source} /> : <LongText text={value} />;
}

interface CutProps {
  readonly whole: string;
  readonly path: string;
  readonly source: PartSource;
}

function CutText({ whole, path, source }: CutProps) {
  const first = textOf(whole);
  const [shown, setShown] = useState(first);
  const ask = async (): Promise<void> => {
    const { value, total, to } = await source(path, shown.text.length);
    setShown({ text: shown.text + String(value), left: total - to });
  };
  const { text, left } = first.left === 0 ? first : shown;
  return (
    <LongText text={text} beyond={left}>
      {left > 0 && <Rest left={left} unit="character" onAsk={ask} />}
    </LongText>
  );
}

interface ValueProps extends Placed {
  readonly value: unknown;
  /** Depth of the value. */
  readonly level?: number;
}

export function Value({ value, level = 0, ...placed }: ValueProps) {
  const found = entriesOf(value);
  if (!found) return <Scalar value={value} {...placed} />;
  if (found.entries.length === 0 && found.left === 0)
    return <span class="soft">{Array.isArray(value) ? "empty list" : "no members"}</span>;
  return <Members value={value} level={level} {...placed} />;
}

function Members({ value, level = 0, path = "", source }: ValueProps) {
  const [shown, setShown] = useState(STEP);
  const [rest, setRest] = useState<{ readonly entries: Entries; readonly left: number } | undefined>();
  const first = entriesOf(value) ?? { entries: [], left: 0 };
  const entries = rest ? [...first.entries, ...rest.entries] : first.entries;
  const left = rest?.left ?? first.left;
  const ask = async (): Promise<void> => {
    if (!source) return;
    const asked: Promise<ValuePart> = source(path, entries.length);
    const part = await asked;
    const more = entriesOf(part.value)?.entries ?? [];
    const named = Array.isArray(value)
      ? more.map(([, one], index) => [`${entries.length + index}`, one] as const)
      : more;
    setRest({
      entries: [...(rest?.entries ?? []), ...named],
      left: part.total - entries.length - named.length,
    });
    setShown(shown + named.length);
  };
  return (
    <ul class="members">
      {entries.slice(0, shown).map(([name, one]) => (
        <Member key={name} name={name} value={one} level={level} path={`${path}/${token(name)}`} source={source} />
      ))}
      {entries.length > shown && (
        <li>
          <button type="button" class="more" onClick={() => setShown(shown + STEP * 5)}>
            Show more ({counted(entries.length - shown, "member")})
          </button>
        </li>
      )}
      {entries.length <= shown && left > 0 && (
        <li>
          {source ? <Rest left={left} unit="member" onAsk={ask} /> : <span class="soft">… {count(left)} more</span>}
        </li>
      )}
    </ul>
  );
}

/** Escapes a step of a JSON Pointer. */
function token(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function Member({ name, value, level = 0, ...placed }: ValueProps & { readonly name: string }) {
  const found = entriesOf(value);
  const [isOpen, setOpen] = useState(level < OPEN);
  const label = <span class="member-name">{visible(name.slice(0, 200))}</span>;
  const size = found ? found.entries.length + found.left : 0;
  if (size === 0)
    return (
      <li class="member">
        {label}
        <span class="member-value">
          <Value value={value} level={level + 1} {...placed} />
        </span>
      </li>
    );
  return (
    <li class="member is-group">
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="chevron" size={13} />
        {label}
        <span class="soft">{Array.isArray(value) ? `[${size}]` : `{${size}}`}</span>
      </button>
      {isOpen && <Members value={value} level={level + 1} {...placed} />}
    </li>
  );
}
