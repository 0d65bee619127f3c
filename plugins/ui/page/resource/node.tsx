/** A node of a graph: name, scope and kind on a line each. */
import type { Neighbourhood } from "../../api/index.js";
import { CutName, splitName } from "../parts/name.js";
import { toneOf } from "../parts/pill.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, type ResourceRoute } from "../router.js";
import { belowStage } from "../shell/header.js";
import type { NodeSize } from "./layout.js";

interface NodeProps {
  readonly node: Neighbourhood["nodes"][number];
  readonly index: number;
  readonly place: { readonly x: number; readonly y: number };
  readonly size: NodeSize;
  readonly isActive: boolean;
  readonly route: ResourceRoute;
  onFocus(): void;
}

/** Longest shown name of a kind. */
const LONGEST = 300;

export function Node({ node, index, place, size, isActive, route, onFocus }: NodeProps) {
  const { app, stage } = route;
  const path = belowStage(node.fqn, app, stage);
  const { scope, name } = splitName(path);
  const kind = visible(node.kind.slice(0, LONGEST));
  return (
    <a
      class="node"
      href={fragmentOf({ page: "resource", app, stage, fqn: node.fqn, tab: "graph" })}
      data-node={index}
      data-tone={toneOf(node.status)}
      aria-current={node.fqn === route.fqn ? "page" : undefined}
      tabIndex={isActive ? 0 : -1}
      title={`${visible(path.slice(0, LONGEST))}\n${kind}, ${node.status}`}
      draggable={false}
      style={{ left: `${place.x}px`, top: `${place.y}px`, width: `${size.width}px`, height: `${size.height}px` }}
      onFocus={onFocus}
    >
      <span class="node-name">
        <span class="dot" aria-hidden="true" />
        <CutName text={name} />
      </span>
      {scope !== "" && (
        <span class="node-scope">
          <span class="unseen">in </span>
          <CutName text={scope} />
        </span>
      )}
      <span class="node-kind">
        <CutName text={kind} />
      </span>
      <span class="unseen">{node.status}</span>
    </a>
  );
}
