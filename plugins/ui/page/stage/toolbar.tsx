/** What narrows the rows of a stage. */
import type { StageHead } from "../../api/index.js";
import { count } from "../parts/format.js";
import { Icon } from "../parts/icon.js";
import { visible } from "../parts/visible.js";

interface Chosen {
  readonly text: string;
  readonly status: string;
  readonly kind: string;
}

interface ToolbarProps {
  readonly head: StageHead;
  readonly chosen: Chosen;
  onChange(chosen: Chosen): void;
}

export function Toolbar({ head, chosen, onChange }: ToolbarProps) {
  const statuses = Object.entries(head.statuses);
  const pending = statuses.reduce((sum, [status, number]) => (status === "ready" ? sum : sum + number), 0);
  return (
    <div class="toolbar">
      <label class="field">
        <Icon name="search" />
        <span class="unseen">Filter by name</span>
        <input
          type="search"
          placeholder="Filter by name"
          value={chosen.text}
          onInput={(event) => onChange({ ...chosen, text: event.currentTarget.value })}
        />
      </label>
      <label class="choice">
        <span class="unseen">Kind</span>
        <select value={chosen.kind} onChange={(event) => onChange({ ...chosen, kind: event.currentTarget.value })}>
          <option value="">All kinds</option>
          {head.kinds.slice(0, 500).map(({ kind, count: number }) => (
            <option key={kind} value={kind}>
              {visible(kind.slice(0, 80))} ({count(number)})
            </option>
          ))}
        </select>
      </label>
      <label class="choice">
        <span class="unseen">Status</span>
        <select value={chosen.status} onChange={(event) => onChange({ ...chosen, status: event.currentTarget.value })}>
          <option value="">Every status</option>
          {statuses.map(([status, number]) => (
            <option key={status} value={status}>
              {status} ({count(number ?? 0)})
            </option>
          ))}
          {pending > 0 && <option value="pending">pending ({count(pending)})</option>}
          {head.failed > 0 && <option value="failed">failed ({count(head.failed)})</option>}
        </select>
      </label>
      {pending > 0 && chosen.status !== "pending" && (
        <button type="button" class="button is-warn" onClick={() => onChange({ ...chosen, status: "pending" })}>
          <Icon name="alert" size={14} /> {count(pending)} pending
          {head.failed > 0 && `, ${count(head.failed)} failed`}
        </button>
      )}
    </div>
  );
}
