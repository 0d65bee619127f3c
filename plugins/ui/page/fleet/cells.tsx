/** One link for each stage. Only the visible ones and some around them are in the document. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { StageOutcome } from "../../api/index.js";
import { PHONE, useMedia } from "../parts/use-media.js";
import { useSight } from "../parts/use-sight.js";
import { visible } from "../parts/visible.js";
import { hrefOfStage } from "./causes.js";
import type { GridStage } from "./use-fleet.js";

export const OUTCOME_WORDS: Readonly<Record<StageOutcome, string>> = {
  failed: "failed",
  skipped: "skipped",
  stopped: "interrupted",
  changed: "changed",
  unchanged: "unchanged",
  open: "not ended",
  left: "left the list",
};

interface CellsProps {
  readonly fleet: string;
  readonly stages: readonly GridStage[];
}

/** Up to this number, each cell shows its name. */
const MOST_NAMED = 120;
/** Rows around the visible ones. */
const AROUND = 6;

export function Cells({ fleet, stages }: CellsProps) {
  const isPhone = useMedia(PHONE);
  const isNamed = stages.length <= MOST_NAMED;
  const size = isPhone ? 24 : 16;
  const cell = isNamed ? { width: isPhone ? 160 : 190, height: 34 } : { width: size, height: size };
  const box = useRef<HTMLDivElement>(null);
  const said = useRef<HTMLParagraphElement>(null);
  const [sight, measure] = useSight(box, { height: 400, width: 600 });
  const [active, setActive] = useState("");
  const wantsFocus = useRef(false);
  const columns = Math.max(1, Math.floor(sight.width / cell.width));
  const rows = Math.ceil(stages.length / columns);
  const at = Math.max(0, active === "" ? 0 : stages.findIndex(({ name }) => name === active));

  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    box.current?.querySelector<HTMLElement>(`[data-at="${at}"]`)?.focus({ preventScroll: true });
  });

  const moveTo = (index: number): void => {
    const next = Math.max(0, Math.min(stages.length - 1, index));
    const element = box.current;
    if (!element) return;
    const top = Math.floor(next / columns) * cell.height;
    if (top < element.scrollTop) element.scrollTop = top;
    const bottom = top + cell.height;
    if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    wantsFocus.current = true;
    setActive(stages[next]?.name ?? "");
    measure();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = columns * Math.max(1, Math.floor(sight.height / cell.height) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns,
      ArrowUp: -columns,
      PageDown: page,
      PageUp: -page,
      Home: -stages.length,
      End: stages.length,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const from = indexIn(event.target) ?? at;
    moveTo(from + step);
    event.preventDefault();
    event.stopPropagation();
  };
  /** Not by rendering: the pointer moves over many cells. */
  const tell = (target: EventTarget | null): void => {
    const one = stages[indexIn(target) ?? -1];
    if (said.current && one) said.current.textContent = textOf(one);
  };

  const first = Math.max(0, Math.floor(sight.top / cell.height) - AROUND);
  const last = Math.min(rows, Math.ceil((sight.top + sight.height) / cell.height) + AROUND);
  const drawn = stages.slice(first * columns, last * columns);
  const isIn = at >= first * columns && at < last * columns;
  return (
    <>
      {!isNamed && (
        <p ref={said} class="fleet-said soft" aria-hidden="true">
          Point at a cell to see its stage
        </p>
      )}
      <div
        ref={box}
        class="fleet-cells"
        data-named={isNamed}
        role="group"
        aria-label="Stages by name; arrow keys move"
        onKeyDown={onKeyDown}
        onPointerOver={({ target }) => tell(target)}
        onFocusIn={({ target }) => {
          tell(target);
          const one = stages[indexIn(target) ?? -1];
          if (one) setActive(one.name);
        }}
      >
        <div class="fleet-cells-all" style={{ height: `${rows * cell.height}px` }}>
          <div
            class="fleet-cells-drawn"
            style={{
              transform: `translateY(${first * cell.height}px)`,
              gridTemplateColumns: isNamed ? `repeat(${columns}, minmax(0, 1fr))` : `repeat(${columns}, ${size}px)`,
              gridAutoRows: `${cell.height}px`,
            }}
          >
            {drawn.map((one, index) => {
              const position = first * columns + index;
              return (
                <a
                  key={one.name}
                  class="fleet-cell"
                  href={hrefOfStage(fleet, one.name)}
                  data-at={position}
                  data-outcome={one.outcome}
                  tabIndex={position === at || (!isIn && index === 0) ? 0 : -1}
                  aria-label={textOf(one)}
                  title={isNamed && one.name.length > 16 ? textOf(one) : undefined}
                >
                  <span class="swatch" aria-hidden="true" />
                  {isNamed && <span class="fleet-cell-name">{visible(one.name)}</span>}
                </a>
              );
            })}
          </div>
        </div>
      </div>
    </>
  );
}

function textOf({ name, outcome }: GridStage): string {
  return `${visible(name)}: ${OUTCOME_WORDS[outcome]}`;
}

function indexIn(target: EventTarget | null): number | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-at]") : null;
  return cell ? Number(cell.dataset.at) : undefined;
}
