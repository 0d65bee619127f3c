/** The tree of scopes; the selected scope filters the rows next to it. */

import { Rows } from "../list/rows.js";
import { Icon } from "./icon.js";
import { count } from "./time.js";
import type { TreeItem } from "./tree-item.js";
import { PHONE, useMedia } from "./use-media.js";
import { visible } from "./visible.js";

interface ScopeTreeProps {
  readonly items: readonly TreeItem[];
  readonly selected: string;
  onSelect(id: string): void;
  onToggle(id: string): void;
}

export function ScopeTree(props: ScopeTreeProps) {
  const isPhone = useMedia(PHONE);
  const chosen = props.items.find(({ id }) => id === props.selected);
  if (!isPhone)
    return (
      <div class="scopes">
        <h2 class="panel-title">Scopes</h2>
        <Tree {...props} />
      </div>
    );
  return (
    <details class="drawer">
      <summary>
        <Icon name="scope" /> Scope: <b>{chosen && chosen.id !== "" ? visible(chosen.name) : "all"}</b>
      </summary>
      <Tree {...props} />
    </details>
  );
}

function Tree({ items, selected, onSelect, onToggle }: ScopeTreeProps) {
  return (
    <Rows
      label="Scopes"
      className="is-tree"
      role="tree"
      count={items.length}
      height={30}
      selected={items.findIndex(({ id }) => id === selected)}
      keyOf={(index) => items[index]?.id ?? index}
      onOpen={(index) => {
        const item = items[index];
        if (item) onSelect(item.id);
      }}
      onKey={(index, key) => {
        const item = items[index];
        const isFold =
          (key === "ArrowRight" && item?.isOpen === false) || (key === "ArrowLeft" && item?.isOpen === true);
        if (item && isFold) onToggle(item.id);
        return key === "ArrowRight" || key === "ArrowLeft";
      }}
      attributes={(index) => ({ "aria-level": items[index]?.level, "aria-expanded": items[index]?.isOpen })}
      render={(index) => {
        const item = items[index];
        return item && <TreeRow item={item} onToggle={onToggle} />;
      }}
    />
  );
}

function TreeRow({ item, onToggle }: { readonly item: TreeItem; onToggle(id: string): void }) {
  return (
    <span class="tree-row" style={{ paddingLeft: `${Math.min(12, item.level - 1) * 14}px` }}>
      {item.isOpen === undefined ? (
        <span class="twist" />
      ) : (
        <span
          class="twist"
          aria-hidden="true"
          data-open={item.isOpen}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(item.id);
          }}
        >
          <Icon name="chevron" size={13} />
        </span>
      )}
      <span class="tree-name">{visible(item.name)}</span>
      {(item.failed ?? 0) > 0 && (
        <span class="tree-count bad">
          {count(item.failed ?? 0)}
          <span class="unseen"> failed</span>
        </span>
      )}
      <span class="tree-count">{count(item.count)}</span>
    </span>
  );
}
