/** A graph that can be moved and zoomed with mouse, wheel and keys; each node can be focused and opened. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Neighbourhood } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { useAnswer } from "../data/use-answer.js";
import { Icon } from "../parts/icon.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { toneOf } from "../parts/pill.js";
import { counted } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, type ResourceRoute } from "../router.js";
import { belowStage } from "../shell/header.js";
import { NODE, type Placed, placed } from "./layout.js";

interface DrawingProps {
  readonly data: Neighbourhood;
  readonly places: Placed;
  readonly route: ResourceRoute;
}

interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Smaller text is not readable. */
const READABLE = 0.8;

const LIMITS = { least: 0.15, most: 2.5 };

const clamp = (scale: number): number => Math.min(LIMITS.most, Math.max(LIMITS.least, scale));

function Drawing({ data, places, route }: DrawingProps) {
  const box = useRef<HTMLDivElement>(null);
  const [camera, setCamera] = useState<Camera>({ x: 0, y: 0, scale: 1 });
  const self = data.nodes.findIndex(({ fqn }) => fqn === route.fqn);
  const [active, setActive] = useState(Math.max(0, self));
  const drag = useRef<{ x: number; y: number } | undefined>(undefined);

  const showAll = (): void => {
    const element = box.current;
    if (!element) return;
    const { clientWidth: width, clientHeight: height } = element;
    const scale = clamp(Math.min(1, width / places.width, height / places.height));
    setCamera({ x: (width - places.width * scale) / 2, y: (height - places.height * scale) / 2, scale });
  };
  /** Shows the graph as large as text is readable, with the resource itself in the middle. */
  const showSelf = (): void => {
    const [element, place] = [box.current, places.nodes[Math.max(0, self)]];
    if (!element || !place) return;
    const { clientWidth: width, clientHeight: height } = element;
    const scale = Math.min(1, width / places.width, height / places.height);
    if (scale >= READABLE) return showAll();
    const [x, y] = [place.x + NODE.width / 2, place.y + NODE.height / 2];
    setCamera({ x: width / 2 - x * READABLE, y: height / 2 - y * READABLE, scale: READABLE });
  };
  useLayoutEffect(showSelf, [places]);
  const zoom = (factor: number, at?: { readonly x: number; readonly y: number }): void => {
    const element = box.current;
    if (!element) return;
    const { x, y } = at ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    setCamera((before) => {
      const scale = clamp(before.scale * factor);
      const by = scale / before.scale;
      return { x: x - (x - before.x) * by, y: y - (y - before.y) * by, scale };
    });
  };
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 400), { x: event.clientX - left, y: event.clientY - top });
    };
    // Not passive: otherwise the page would scroll, too.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  });

  const moveTo = (index: number): void => {
    setActive(index);
    box.current?.querySelector<SVGElement>(`[data-node="${index}"]`)?.focus({ preventScroll: true });
    const [element, place] = [box.current, places.nodes[index]];
    if (!element || !place) return;
    setCamera((before) => {
      const x = place.x * before.scale + before.x;
      const y = place.y * before.scale + before.y;
      const isIn =
        x > 0 &&
        y > 0 &&
        x < element.clientWidth - NODE.width * before.scale &&
        y < element.clientHeight - NODE.height * before.scale;
      if (isIn) return before;
      const middle = { x: element.clientWidth / 2, y: element.clientHeight / 2 };
      return {
        ...before,
        x: middle.x - (place.x + NODE.width / 2) * before.scale,
        y: middle.y - (place.y + NODE.height / 2) * before.scale,
      };
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nearest(places, active, event.key);
    if (next !== undefined) moveTo(next);
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") showAll();
    else if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
  };
  return (
    <div class="drawing">
      <div
        ref={box}
        class="drawing-box"
        role="group"
        aria-label="Graph of its dependencies and dependents; arrow keys move between nodes"
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button === 0) drag.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (!from || event.buttons === 0) return;
          const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
          drag.current = { x: event.clientX, y: event.clientY };
          setCamera((before) => ({ ...before, x: before.x + dx, y: before.y + dy }));
        }}
        onPointerUp={() => {
          drag.current = undefined;
        }}
      >
        <svg class="graph" width="100%" height="100%">
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0.5L7 4L0 7.5" class="arrow" />
            </marker>
          </defs>
          <g transform={`translate(${camera.x} ${camera.y}) scale(${camera.scale})`}>
            {places.edges.map(({ d, isCertain }, index) => (
              <path key={index} class="edge" d={d} data-certain={isCertain} marker-end="url(#arrow)" />
            ))}
            {data.nodes.map((node, index) => (
              <g key={node.fqn} transform={`translate(${places.nodes[index]?.x} ${places.nodes[index]?.y})`}>
                <Node
                  node={node}
                  index={index}
                  isActive={index === active}
                  route={route}
                  onFocus={() => setActive(index)}
                />
              </g>
            ))}
          </g>
        </svg>
      </div>
      <div class="drawing-tools">
        <button type="button" class="quiet" aria-label="Zoom in" onClick={() => zoom(1.25)}>
          <Icon name="plus" />
        </button>
        <button type="button" class="quiet" aria-label="Zoom out" onClick={() => zoom(0.8)}>
          <Icon name="minus" />
        </button>
        <button type="button" class="quiet" aria-label="Show all" onClick={showAll}>
          <Icon name="fit" />
        </button>
      </div>
    </div>
  );
}

const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  j: [0, 1],
  k: [0, -1],
};

/** Returns the nearest node in a direction. */
function nearest(places: Placed, from: number, key: string): number | undefined {
  const [direction, start] = [DIRECTIONS[key], places.nodes[from]];
  if (!direction || !start) return undefined;
  let best: { readonly index: number; readonly cost: number } | undefined;
  places.nodes.forEach(({ x, y }, index) => {
    const [dx, dy] = [x - start.x, y - start.y];
    const along = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    const cost = along + aside * 2;
    if (along > 1 && (!best || cost < best.cost)) best = { index, cost };
  });
  return best?.index;
}

interface NodeProps {
  readonly node: Neighbourhood["nodes"][number];
  readonly index: number;
  readonly isActive: boolean;
  readonly route: ResourceRoute;
  onFocus(): void;
}

function Node({ node, index, isActive, route, onFocus }: NodeProps) {
  const { app, stage } = route;
  const name = visible(belowStage(node.fqn, app, stage));
  const short = name.length > 28 ? `…${name.slice(-27)}` : name;
  const kind = visible(node.kind.slice(0, 100));
  const shortKind = kind.length > 32 ? `${kind.slice(0, 31)}…` : kind;
  // The visible text, followed by its hidden part.
  const label = `${short} ${shortKind}, ${node.status}${short === name ? "" : `, ${name.slice(0, 200)}`}`;
  return (
    <a
      class="node"
      href={fragmentOf({ page: "resource", app, stage, fqn: node.fqn, tab: "graph" })}
      data-node={index}
      data-tone={toneOf(node.status)}
      data-self={node.fqn === route.fqn}
      tabIndex={isActive ? 0 : -1}
      aria-label={label}
      draggable={false}
      onFocus={onFocus}
    >
      <rect width={NODE.width} height={NODE.height} rx="9" />
      <circle cx="17" cy="21" r="4" />
      <text>
        <tspan x="29" y="25" class="node-name">
          {short}
        </tspan>{" "}
        <tspan x="29" y="41" class="node-kind">
          {shortKind}
        </tspan>
      </text>
    </a>
  );
}

/** Draws the dependencies and dependents of a resource. */
export function Neighbours({ route }: { readonly route: ResourceRoute }) {
  const { app, stage, fqn } = route;
  const path = `${stagePath(app, stage)}/neighbours?fqn=${encodeURIComponent(fqn)}`;
  const { data, failure, isLoading, reload } = useAnswer<Neighbourhood>(path);
  const places = useMemo(() => data && placed(data), [data]);
  if (failure) return <Trouble failure={failure} onRetry={reload} />;
  if (isLoading || !data || !places) return <Loading label="Loading the graph" />;
  if (data.nodes.length === 0) return <Empty icon="scope" title="Not in the state any more" />;
  return (
    <>
      <Drawing data={data} places={places} route={route} />
      <p class="soft">
        Dependencies are on the left. A dashed line is a possible dependency: the state does not say for certain.
        {data.left > 0 &&
          ` ${counted(data.left, "resource")} further away ${data.left === 1 ? "is" : "are"} not drawn.`}
      </p>
    </>
  );
}
