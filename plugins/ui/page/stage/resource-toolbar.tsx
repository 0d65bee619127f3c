/** The filters of the resources of a stage. */
import type { StageHead } from "../../api/index.js";
import { Icon } from "../parts/icon.js";
import { count } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { type Chosen, COLUMNS } from "./resource-filter.js";

interface ToolbarProps {
  readonly head: StageHead;
  readonly chosen: Chosen;
  onChange(chosen: Chosen): void;
}

export function Toolbar({ head, chosen, onChange }: ToolbarProps) {
  const statuses = Object.entries(head.statuses);
  const pending = statuses.reduce((sum, [status, number]) => (status === "ready" ? sum : sum + number), 0);
  const choice = (name: "kind" | "status" | "changed" | "sort", label: string, options: readonly Option[]) => (
    <label class={`choice is-${name}`}>
      <span class="unseen">{label}</span>
      <select value={chosen[name]} onChange={(event) => onChange({ ...chosen, [name]: event.currentTarget.value })}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
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
      {choice("kind", "Kind", [
        ["", "All kinds"],
        ...head.kinds
          .slice(0, 500)
          .map(({ kind, count: number }): Option => [kind, `${visible(kind.slice(0, 80))} (${count(number)})`]),
      ])}
      {choice("status", "Status", [
        ["", "Every status"],
        ...statuses.map(([status, number]): Option => [status, `${status} (${count(number ?? 0)})`]),
        ...(pending > 0 ? [["pending", `pending (${count(pending)})`] as const] : []),
        ...(head.failed > 0 ? [["failed", `failed (${count(head.failed)})`] as const] : []),
      ])}
      {choice("changed", "Changed", [
        ["", "Changed any time"],
        ["day", "Changed in 24 hours"],
        ["week", "Changed in 7 days"],
      ])}
      {choice("sort", "Order", [
        ["", "By name"],
        ...COLUMNS.filter((one) => one !== "name").flatMap((one): Option[] =>
          one === "changed" ? [["-changed", "Newest change first"]] : [[one, `By ${one}`]],
        ),
      ])}
      {pending > 0 && chosen.status !== "pending" && (
        <button type="button" class="button is-warn" onClick={() => onChange({ ...chosen, status: "pending" })}>
          <Icon name="alert" size={14} /> {pendingText(pending, head.failed)}
        </button>
      )}
    </div>
  );
}

/** Counts each pending resource once. */
function pendingText(pending: number, failed: number): string {
  const parts = [failed > 0 && `${count(failed)} failed`, pending > failed && `${count(pending - failed)} pending`];
  return parts.filter(Boolean).join(", ");
}

type Option = readonly [value: string, text: string];
