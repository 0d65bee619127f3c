/** A graph that can be moved and zoomed with pointer and keys; each node can be focused and opened. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Neighbourhood } from "../../api/index.js";
import { Icon } from "../parts/icon.js";
import type { ResourceRoute } from "../router.js";
import { type Placed, placed } from "./layout.js";
import { Node } from "./node.js";

interface DrawingProps {
  readonly data: Neighbourhood;
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

/** The most of the window's height that the canvas takes. */
const SHARE = 0.68;

/** Pixels of a movement that is a drag, and not a click. */
const DRAG = 5;

const clamp = (scale: number): number => Math.min(LIMITS.most, Math.max(LIMITS.least, scale));

export function Drawing({ data, route }: DrawingProps) {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setRoom(element.clientWidth));
    observer.observe(element);
    setRoom(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  const places = useMemo(() => (room > 0 ? placed(data, room) : undefined), [data, room]);
  return (
    <div class="drawing" ref={box}>
      {places && <Canvas data={data} route={route} places={places} room={room} />}
    </div>
  );
}

interface CanvasProps extends DrawingProps {
  readonly places: Placed;
  /** Width in pixels. */
  readonly room: number;
}

function Canvas({ data, route, places, room }: CanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const [camera, setCamera] = useState<Camera>({ x: 0, y: 0, scale: 1 });
  const self = Math.max(
    0,
    data.nodes.findIndex(({ fqn }) => fqn === route.fqn),
  );
  const [active, setActive] = useState(self);
  const drag = useRef<{ x: number; y: number; moved: number } | undefined>(undefined);
  const { size } = places;
  const most = Math.max(260, innerHeight * SHARE);
  const first = Math.max(READABLE, Math.min(1, room / places.width, most / places.height));
  // As high as the graph: a canvas must not be mostly empty.
  const height = Math.min(most, places.height * first);

  const showAll = (): void => {
    const scale = clamp(Math.min(1, room / places.width, height / places.height));
    setCamera({ x: (room - places.width * scale) / 2, y: (height - places.height * scale) / 2, scale });
  };
  /** Shows all of the graph if its text is readable then; otherwise, the resource itself is in the middle. */
  const showSelf = (): void => {
    const place = places.nodes[self];
    if (!place) return;
    const along = (whole: number, free: number, middle: number): number => {
      const hidden = whole * first - free;
      return hidden <= 0 ? -hidden / 2 : Math.max(-hidden, Math.min(0, free / 2 - middle * first));
    };
    const x = along(places.width, room, place.x + size.width / 2);
    setCamera({ x, y: along(places.height, height, place.y + size.height / 2), scale: first });
  };
  useLayoutEffect(() => {
    showSelf();
    setActive(self);
  }, [places]);
  const zoom = (factor: number, at = { x: room / 2, y: height / 2 }): void => {
    setCamera((before) => {
      const scale = clamp(before.scale * factor);
      const by = scale / before.scale;
      return { x: at.x - (at.x - before.x) * by, y: at.y - (at.y - before.y) * by, scale };
    });
  };
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      // The wheel alone scrolls the page. Browsers report a pinch as a wheel with Ctrl.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 400), { x: event.clientX - left, y: event.clientY - top });
    };
    // Not passive: otherwise the browser would zoom, too.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  });

  const moveTo = (index: number): void => {
    setActive(index);
    box.current?.querySelector<HTMLElement>(`[data-node="${index}"]`)?.focus({ preventScroll: true });
    const place = places.nodes[index];
    if (!place) return;
    setCamera((before) => {
      const [x, y] = [place.x * before.scale + before.x, place.y * before.scale + before.y];
      const isIn = x > 0 && y > 0 && x < room - size.width * before.scale && y < height - size.height * before.scale;
      if (isIn) return before;
      return {
        ...before,
        x: room / 2 - (place.x + size.width / 2) * before.scale,
        y: height / 2 - (place.y + size.height / 2) * before.scale,
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
    <>
      <div
        ref={box}
        class="drawing-box"
        role="group"
        aria-label="Graph of its dependencies and dependents; arrow keys move between nodes"
        style={{ height: `${height}px` }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button === 0) drag.current = { x: event.clientX, y: event.clientY, moved: 0 };
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (!from || event.buttons === 0) return;
          const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
          drag.current = { x: event.clientX, y: event.clientY, moved: from.moved + Math.abs(dx) + Math.abs(dy) };
          setCamera((before) => ({ ...before, x: before.x + dx, y: before.y + dy }));
        }}
        onClickCapture={(event) => {
          if ((drag.current?.moved ?? 0) > DRAG) event.preventDefault();
          drag.current = undefined;
        }}
      >
        <div class="graph" style={{ transform: `translate(${camera.x}px, ${camera.y}px) scale(${camera.scale})` }}>
          <svg class="edges" width={places.width} height={places.height} aria-hidden="true">
            <defs>
              <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
                <path d="M0 0.5L7 4L0 7.5" class="arrow" />
              </marker>
            </defs>
            {places.edges.map(({ d, isCertain }, index) => (
              <path key={index} class="edge" d={d} data-certain={isCertain} marker-end="url(#arrow)" />
            ))}
          </svg>
          {data.nodes.map((node, index) => (
            <Node
              key={node.fqn}
              node={node}
              index={index}
              place={places.nodes[index] ?? { x: 0, y: 0 }}
              size={size}
              isActive={index === active}
              route={route}
              onFocus={() => setActive(index)}
            />
          ))}
        </div>
      </div>
      <div class="drawing-tools">
        <button type="button" class="quiet" aria-label="Zoom in" title="Zoom in: +" onClick={() => zoom(1.25)}>
          <Icon name="plus" />
        </button>
        <button type="button" class="quiet" aria-label="Zoom out" title="Zoom out: -" onClick={() => zoom(0.8)}>
          <Icon name="minus" />
        </button>
        <button type="button" class="quiet" aria-label="Show all" title="Show all: 0" onClick={showAll}>
          <Icon name="fit" />
        </button>
      </div>
    </>
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
