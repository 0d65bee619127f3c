/** A run as its events arrive: folded at once, and rendered with the next frame. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { Failure } from "../../api/index.js";
import { asEvent, emptyView, endOfEvents, type RunView, reduce, stand } from "../../model/index.js";
import { AskFailed, eventsOfRun, failureOf } from "./ask.js";
import { embeddedRun } from "./key.js";

export interface LiveRun {
  readonly view: RunView;
  /** `lost`: the server does not answer, and the page retries. */
  readonly connection: "opening" | "open" | "lost" | "ended";
  /** Set if the server has no such run, or refuses this page. */
  readonly failure?: Failure;
}

/** Milliseconds until a lost connection is retried. */
const AGAIN = 1_000;

/** Answers that a retry cannot change. */
const FINAL: readonly number[] = [401, 404];

const STANDINGS = ["running", "cut off", "silent"] as const;

class Subscription {
  readonly #run: string;
  readonly #onChange: () => void;
  readonly #end = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = 0;
  /** Number of attempts to connect since the connection was lost. */
  #attempts = 0;
  live: LiveRun = { view: emptyView(), connection: "opening" };

  constructor(run: string, onChange: () => void) {
    this.#run = run;
    this.#onChange = onChange;
    this.#open();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#end.abort();
  }

  #open(): void {
    this.#listen().then(
      () => {
        endOfEvents(this.live.view);
        this.#set("ended");
      },
      (error: unknown) => {
        if (this.#end.signal.aborted) return;
        if (error instanceof AskFailed && FINAL.includes(error.status)) return this.#set("ended", failureOf(error));
        // Without a server, nothing shows that the run continues. The first attempt may meet a server that restarts.
        if (this.#attempts++ > 0) stand(this.live.view, "cut off");
        this.#set("lost");
        this.#timer = setTimeout(() => this.#open(), AGAIN);
      },
    );
  }

  /** Resolves when no more events will come. */
  async #listen(): Promise<void> {
    const parts = (await eventsOfRun(this.#run, this.#heard, this.#end.signal)).getReader();
    const reader = new EventStreamReader();
    if (this.#attempts > 0) stand(this.live.view, "running");
    this.#attempts = 0;
    this.#set("open");
    for (let part = await parts.read(); !part.done; part = await parts.read()) {
      for (const { event, id, data } of reader.read(part.value)) {
        if (event === "end") return;
        if (event === "state") this.#stand(data);
        else this.#hear(data, Number(id));
      }
    }
    throw new Error("The stream ended before the run.");
  }

  /** @param heard number of events that are known with these */
  #hear(data: string, heard: number): void {
    const events: unknown = JSON.parse(data);
    if (!Array.isArray(events)) return;
    for (const one of events) {
      const event = asEvent(one);
      if (event) reduce(this.live.view, event);
    }
    this.#heard = heard || this.#heard + events.length;
    this.#set("open");
  }

  #stand(data: string): void {
    const state = STANDINGS.find((one) => one === JSON.parse(data));
    if (state) stand(this.live.view, state);
    this.#set("open");
  }

  #set(connection: LiveRun["connection"], failure?: Failure): void {
    this.live = { view: this.live.view, connection, ...(failure && { failure }) };
    this.#onChange();
  }
}

/** Renders once a frame, for any number of events. */
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

/** Reads server-sent events from the parts in which they arrive. Pure. */
interface StreamedEvent {
  /** `message` if it has no name. */
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

export class EventStreamReader {
  #rest: readonly string[] = [];
  #isAfterBreak = false;

  /** Returns the events that are whole by now. */
  read(part: string): readonly StreamedEvent[] {
    // A separator may span two parts: one line break at the end of the first, one at the beginning of the second.
    if (this.#isAfterBreak && part.startsWith("\n")) return [...this.#ended(), ...this.read(part.slice(1))];
    this.#isAfterBreak = false;
    const [first = "", ...others] = part.split("\n\n");
    this.#rest = [...this.#rest, first];
    const events = others.flatMap((text) => {
      const ended = this.#ended();
      this.#rest = [text];
      return ended;
    });
    this.#isAfterBreak = (this.#rest.at(-1) ?? "").endsWith("\n");
    return events;
  }

  #ended(): readonly StreamedEvent[] {
    const text = this.#rest.join("");
    [this.#rest, this.#isAfterBreak] = [[], false];
    const fields = new Map<string, string>();
    for (const line of text.split("\n")) {
      const at = line.indexOf(":");
      if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /, ""));
    }
    const data = fields.get("data");
    if (data === undefined) return [];
    return [{ event: fields.get("event") ?? "message", id: fields.get("id") ?? "", data }];
  }
}
