/** All that is recorded of a stage: rows, narrowed by scope, name, status and kind. */
import { useMemo, useState } from "preact/hooks";
import type { StageHead } from "../../api/index.js";
import { count, counted } from "../parts/format.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Rows } from "../parts/rows.js";
import { ScopeTree } from "../parts/scope-tree.js";
import { PHONE, useMedia } from "../parts/use-media.js";
import { fragmentOf } from "../router.js";
import { go } from "../shell/use-route.js";
import { type Filter, shownRows } from "./filter.js";
import { ResourceCells } from "./resource-cells.js";
import { treeItems } from "./scopes.js";
import { Toolbar } from "./toolbar.js";
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
  // With another key: what stands above it may have come meanwhile, and it would move.
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
    <Empty icon="scope" title="Nothing is recorded">
      This stage was destroyed, or no run has made anything yet.
    </Empty>
  );
}
