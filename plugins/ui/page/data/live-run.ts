/** A run as its events come: folded as they arrive, and shown with the next frame. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import { asEvent, emptyView, endOfEvents, type RunView, reduce } from "../../model/index.js";
import { embeddedRun } from "./embedded.js";

export interface LiveRun {
  readonly view: RunView;
  /** `lost`: the server does not answer, and is asked again. */
  readonly connection: "opening" | "open" | "lost" | "ended";
}

/** Milliseconds until a lost connection is tried again. */
const AGAIN = 1_000;

class Subscription {
  readonly #run: string;
  readonly #onChange: () => void;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = 0;
  live: LiveRun = { view: emptyView(), connection: "opening" };

  constructor(run: string, onChange: () => void) {
    this.#run = run;
    this.#onChange = onChange;
    this.#open();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
  }

  #open(): void {
    const source = new EventSource(`/api/runs/${encodeURIComponent(this.#run)}/events?from=${this.#heard}`);
    this.#source = source;
    source.onopen = () => this.#set("open");
    source.onmessage = ({ data, lastEventId }) => {
      const events: unknown = JSON.parse(data);
      if (!Array.isArray(events)) return;
      for (const one of events) {
        const event = asEvent(one);
        if (event) reduce(this.live.view, event);
      }
      this.#heard = Number(lastEventId) || this.#heard + events.length;
      this.#set("open");
    };
    source.addEventListener("end", () => {
      source.close();
      endOfEvents(this.live.view);
      this.#set("ended");
    });
    source.onerror = () => {
      // It would ask again by itself, and for all from the beginning.
      source.close();
      this.#set("lost");
      this.#timer = setTimeout(() => this.#open(), AGAIN);
    };
  }

  #set(connection: LiveRun["connection"]): void {
    this.live = { view: this.live.view, connection };
    this.#onChange();
  }
}

/** Renders once a frame, however many events there are. */
export function useRun(run: string): LiveRun {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const subscription = useRef<Subscription | undefined>(undefined);
  const embedded = embeddedRun();
  useEffect(() => {
    if (embedded) return;
    let frame = 0;
    const onChange = (): void => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        render(undefined);
      });
    };
    const own = new Subscription(run, onChange);
    subscription.current = own;
    render(undefined);
    return () => {
      cancelAnimationFrame(frame);
      own.close();
    };
  }, [run, embedded]);
  if (embedded) return { view: embedded, connection: "ended" };
  return subscription.current?.live ?? { view: emptyView(), connection: "opening" };
}
