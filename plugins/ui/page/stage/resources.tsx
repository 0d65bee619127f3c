/** All resources of a stage, filtered and sorted. */
import { useMemo, useState } from "preact/hooks";
import type { StageChanges, StageHead } from "../../api/index.js";
import { Rows } from "../list/rows.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { ScopeTree } from "../parts/scope-tree.js";
import { count, counted, useNow } from "../parts/time.js";
import { PHONE, useMedia } from "../parts/use-media.js";
import { fragmentOf, go, setFilter } from "../router.js";
import { ResourceCells } from "./resource-cells.js";
import { ALL, type Chosen, COLUMNS, chosenIn, nextSort, queryOf, shownRows, sortedBy } from "./resource-filter.js";
import { Toolbar } from "./resource-toolbar.js";
import { treeItems } from "./scopes.js";
import type { Loaded } from "./use-rows.js";

interface ResourcesProps {
  readonly app: string;
  readonly stage: string;
  readonly filter: string | undefined;
  readonly head: StageHead | undefined;
  readonly loaded: Loaded;
  /** Undefined until they are loaded. */
  readonly changes: StageChanges | undefined;
}

export function Resources({ app, stage, filter, head, loaded: { rows, scopes, failure }, changes }: ResourcesProps) {
  const chosen = useMemo(() => chosenIn(filter), [filter]);
  const choose = (wanted: Chosen): void => setFilter({ app, stage }, queryOf(wanted));
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const isPhone = useMedia(PHONE);
  const now = useNow(60_000);
  const loaded = rows?.paths.length ?? 0;
  const scope = chosen.scope === "" ? undefined : scopes.all.find(({ path }) => path === chosen.scope);
  const items = useMemo(
    () => treeItems(scopes, head?.resources ?? loaded, (path) => toggled.has(path)),
    [scopes, loaded, toggled, head],
  );
  const shown = useMemo(() => {
    const [first, end] = [scope?.first ?? 0, scope?.end ?? Number.POSITIVE_INFINITY];
    return rows && shownRows(chosen, { rows, changes, first, end, now });
  }, [rows, loaded, changes, chosen, scope?.first, scope?.end, now]);

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
        selected={chosen.scope}
        onSelect={(path) => choose({ ...chosen, scope: path })}
        onToggle={(path) => setToggled((before) => toggledWith(before, path))}
      />
      <div class="split-main">
        <Toolbar head={head} chosen={chosen} onChange={choose} />
        <p class="shown soft" role="status">
          {length < rows.paths.length
            ? `${count(length)} of ${counted(rows.total, "resource")}`
            : counted(rows.total, "resource")}
          {!rows.isComplete && `, ${count(rows.paths.length)} loaded`}
        </p>
        {length === 0 ? (
          <Empty icon="search" title="No resource matches">
            <button type="button" class="button" onClick={() => choose({ ...ALL, sort: chosen.sort })}>
              Show all
            </button>
          </Empty>
        ) : (
          <Rows
            label="Resources"
            className="is-main is-resources"
            count={length}
            height={isPhone ? 76 : 38}
            columns={COLUMNS.length}
            keyOf={rowAt}
            onOpen={(index) => go(hrefOf(index))}
            header={<Header chosen={chosen} onChange={choose} />}
            render={(index) => (
              <ResourceCells rows={rows} index={rowAt(index)} href={hrefOf(index)} head={head} changes={changes} />
            )}
          />
        )}
      </div>
    </div>
  );
}

/** The titles of the columns; each sorts. */
function Header({ chosen, onChange }: { readonly chosen: Chosen; onChange(chosen: Chosen): void }) {
  const { column, isReverse } = sortedBy(chosen);
  return (
    <>
      {COLUMNS.map((one) => {
        const sort = one === column ? (isReverse ? "descending" : "ascending") : "none";
        return (
          <span key={one} role="columnheader" aria-sort={sort}>
            <button type="button" class="sort" onClick={() => onChange({ ...chosen, sort: nextSort(chosen, one) })}>
              {one}
            </button>
          </span>
        );
      })}
    </>
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
