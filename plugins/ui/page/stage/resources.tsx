/** All resources of a stage, filtered by scope, name, status and kind. */
import { useMemo, useState } from "preact/hooks";
import type { StageHead } from "../../api/index.js";
import type { StageRows } from "../data/stage-rows.js";
import { Icon } from "../parts/icon.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { StatusPill } from "../parts/pill.js";
import { Rows } from "../parts/rows.js";
import { ScopeTree } from "../parts/scope-tree.js";
import { count, counted } from "../parts/time.js";
import { PHONE, useMedia } from "../parts/use-media.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, go } from "../router.js";
import { treeItems } from "./scopes.js";
import { useRows } from "./use-rows.js";

interface ResourcesProps {
  readonly app: string;
  readonly stage: string;
  readonly head: StageHead | undefined;
}

const NO_FILTER = { text: "", status: "", kind: "" };

export function Resources({ app, stage, head }: ResourcesProps) {
  const { rows, scopes, failure } = useRows(app, stage, head?.seq);
  const [chosen, setChosen] = useState(NO_FILTER);
  const [scopePath, setScope] = useState("");
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const isPhone = useMedia(PHONE);
  const loaded = rows?.paths.length ?? 0;
  const scope = scopePath === "" ? undefined : scopes.all.find(({ path }) => path === scopePath);
  const items = useMemo(
    () => treeItems(scopes, head?.resources ?? loaded, (path) => toggled.has(path)),
    [scopes, loaded, toggled, head],
  );
  const shown = useMemo(() => {
    const filter: Filter = { ...chosen, first: scope?.first ?? 0, end: scope?.end ?? Number.POSITIVE_INFINITY };
    return rows && shownRows(rows, filter);
  }, [rows, loaded, chosen, scope?.first, scope?.end]);

  if (failure) return <Trouble failure={failure} />;
  // With another key: content above may have arrived meanwhile, and would move it.
  if (!rows || !head) return <Loading key={`${head === undefined}`} rows={12} label="Loading the resources" />;
  if (rows.total === 0) return <NoResources />;
  const length = shown?.length ?? rows.paths.length;
  const rowAt = (index: number): number => shown?.[index] ?? index;
  const hrefOf = (index: number): string => {
    const fqn = `${app}/${stage}/${rows.paths[rowAt(index)] ?? ""}`;
    return fragmentOf({ page: "resource", app, stage, fqn, tab: "values" });
  };
  return (
    <div class="split">
      <ScopeTree
        items={items}
        selected={scopePath}
        onSelect={setScope}
        onToggle={(path) => setToggled((before) => toggledWith(before, path))}
      />
      <div class="split-main">
        <Toolbar head={head} chosen={chosen} onChange={setChosen} />
        <p class="shown soft" role="status">
          {shown ? `${count(length)} of ${counted(rows.total, "resource")}` : counted(rows.total, "resource")}
          {!rows.isComplete && `, ${count(rows.paths.length)} loaded`}
        </p>
        {length === 0 ? (
          <Empty icon="search" title="No resource matches">
            <button
              type="button"
              class="button"
              onClick={() => {
                setChosen(NO_FILTER);
                setScope("");
              }}
            >
              Show all
            </button>
          </Empty>
        ) : (
          <Rows
            label="Resources"
            className="is-main is-resources"
            count={length}
            height={isPhone ? 56 : 38}
            columns={3}
            keyOf={rowAt}
            onOpen={(index) => go(hrefOf(index))}
            header={["Name", "Kind", "Status"].map((name) => (
              <span key={name} role="columnheader">
                {name}
              </span>
            ))}
            render={(index) => (
              <ResourceCells rows={rows} index={rowAt(index)} href={hrefOf(index)} holder={head.holder} />
            )}
          />
        )}
      </div>
    </div>
  );
}

function toggledWith(before: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(path)) after.add(path);
  return after;
}

function NoResources() {
  return (
    <Empty icon="scope" title="The state is empty">
      This stage was destroyed, or no run has created anything yet.
    </Empty>
  );
}

/** A filter of the rows of a stage. Pure. */
interface Filter {
  readonly text: string;
  /** Name of a status; `pending`: all but ready; `failed`: pending ones that failed; empty: any. */
  readonly status: string;
  readonly kind: string;
  /** Range of the rows of the selected scope. */
  readonly first: number;
  readonly end: number;
}

/** Returns indices of rows; undefined: all. */
function shownRows(rows: StageRows, { text, status, kind, first, end }: Filter): readonly number[] | undefined {
  const isAll = text === "" && status === "" && kind === "" && first === 0 && end >= rows.paths.length;
  if (isAll) return undefined;
  const wanted = text.toLowerCase();
  const isStatus = rows.statusNames.map(
    (name) => status === "" || status === "failed" || (status === "pending" ? name !== "ready" : name === status),
  );
  const isKind = rows.kindNames.map((name) => kind === "" || name === kind);
  const shown: number[] = [];
  for (let index = first; index < Math.min(end, rows.paths.length); index++) {
    if (!isStatus[rows.statuses[index] ?? 0] || !isKind[rows.kinds[index] ?? 0]) continue;
    if (status === "failed" && !rows.failed.has(index)) continue;
    if (wanted === "" || rows.paths[index]?.toLowerCase().includes(wanted)) shown.push(index);
  }
  return shown;
}

interface CellsProps {
  readonly rows: StageRows;
  readonly index: number;
  readonly href: string;
  readonly holder: StageHead["holder"];
}

/** One resource as a row of its stage. */
function ResourceCells({ rows, index, href, holder }: CellsProps) {
  const path = rows.paths[index] ?? "";
  const cut = path.lastIndexOf("/") + 1;
  const status = rows.statusNames[rows.statuses[index] ?? 0] ?? "ready";
  return (
    <>
      <span role="gridcell" class="cell-main">
        <a href={href} tabIndex={-1} title={path.length > 40 ? visible(path.slice(0, 300)) : undefined}>
          <span class="soft">{visible(path.slice(0, cut).slice(-200))}</span>
          <b>{visible(path.slice(cut, cut + 300))}</b>
        </a>
        {rows.replaced.has(index) && <span class="mark">old copy</span>}
        {rows.notDeleted.has(index) && <span class="mark">delete failed</span>}
        {rows.protected.has(index) && (
          <span class="mark" title="The engine does not delete it while it is protected">
            <Icon name="shield" size={13} /> protected
          </span>
        )}
      </span>
      <span role="gridcell" class="cell-kind">
        <code>{visible((rows.kindNames[rows.kinds[index] ?? 0] ?? "").slice(0, 120))}</code>
      </span>
      <span role="gridcell" class="cell-status">
        <StatusPill status={status} hasFailed={rows.failed.has(index)} holder={holder} />
      </span>
    </>
  );
}

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

/** The filters of the rows. */
function Toolbar({ head, chosen, onChange }: ToolbarProps) {
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
