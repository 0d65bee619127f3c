/** The lines of handlers and processes, and warnings, in order of time. */
import { useMemo, useState } from "preact/hooks";
import { kept, type RunView, rowKey } from "../../model/index.js";
import { Rows } from "../list/rows.js";
import { Icon } from "../parts/icon.js";
import { Empty } from "../parts/notice.js";
import { count, timeOfDay } from "../parts/time.js";
import { PHONE, useMedia } from "../parts/use-media.js";
import { visible } from "../parts/visible.js";

interface LogProps {
  readonly view: RunView;
  onOpen(key: string): void;
}

interface Line {
  readonly at: number;
  readonly from: string;
  readonly text: string;
  readonly key: string | undefined;
  readonly isWarning: boolean;
}

export function Log({ view, onOpen }: LogProps) {
  const [text, setText] = useState("");
  const isPhone = useMedia(PHONE);
  const lines = useMemo(() => linesOf(view, text.toLowerCase()), [view, view.version, text]);
  const dropped = view.lines.dropped + view.warnings.dropped;
  if (lines.length === 0 && text === "") return <Empty icon="clock" title="No lines were written" />;
  return (
    <>
      <div class="toolbar">
        <label class="field">
          <Icon name="search" />
          <span class="unseen">Filter lines</span>
          <input
            type="search"
            placeholder="Filter lines"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <span class="soft">
          {dropped > 0 &&
            (dropped === 1 ? "1 earlier line is not kept" : `${count(dropped)} earlier lines are not kept`)}
        </span>
      </div>
      {lines.length === 0 ? (
        <Empty icon="search" title="No line matches" />
      ) : (
        <Rows
          label="Log"
          className="is-main is-log"
          count={lines.length}
          height={isPhone ? 46 : 26}
          columns={3}
          keyOf={(index) => index}
          isFollowing={view.state === "running"}
          onOpen={(index) => {
            const key = lines[index]?.key;
            if (key !== undefined) onOpen(key);
          }}
          render={(index) => {
            const line = lines[index];
            return line && <LineCells line={line} />;
          }}
        />
      )}
    </>
  );
}

function LineCells({ line }: { readonly line: Line }) {
  return (
    <>
      <span role="gridcell" class="log-time soft">
        {timeOfDay(line.at)}
      </span>
      <span role="gridcell" class="log-from">
        {visible(line.from.slice(-80))}
      </span>
      <span role="gridcell" class={line.isWarning ? "log-text warn" : "log-text"}>
        {visible(line.text.slice(0, 500))}
      </span>
    </>
  );
}

function linesOf(view: RunView, wanted: string): readonly Line[] {
  const lines: Line[] = kept(view.lines).map(({ at, fqn, row: index, text }) => {
    const row = index === undefined ? undefined : view.rows[index];
    const key = row && rowKey(row);
    return { at, from: fqn, text, key, isWarning: false };
  });
  const warnings = kept(view.warnings);
  for (const { at, code, message } of warnings)
    lines.push({ at, from: code, text: message, key: undefined, isWarning: true });
  if (warnings.length > 0) lines.sort((one, other) => one.at - other.at);
  if (wanted === "") return lines;
  return lines.filter(({ from, text }) => from.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted));
}
