/** When things in a picture are to be seen, as animations of CSS that go round together. */
import { element } from "../bench/svg.ts";
import type { Span } from "./film.ts";

/** Gives the names of animations, and in the end all of them. */
export class Clip {
  readonly #duration: number;
  readonly #names = new Map<string, string>();

  constructor(duration: number) {
    this.#duration = duration;
  }

  /** Things that come and go at the same time are in one group. */
  groups<T>(spans: readonly Span<T>[], elementOf: (of: T) => string): readonly string[] {
    const groups = new Map<string, string[]>();
    for (const { of, from, to } of spans) {
      const name = this.seen(from, to);
      groups.set(name, [...(groups.get(name) ?? []), elementOf(of)]);
    }
    return [...groups].map(([name, all]) => element("g", name === "" ? {} : { class: name }, all));
  }

  /** Empty for what is always seen. */
  seen(from: number, to: number): string {
    const comes = from > 0 ? `0%{opacity:0}` : "";
    const goes = to < this.#duration ? `${this.#at(to)}{opacity:0}` : "";
    if (comes === "" && goes === "") return "";
    const name = this.#name(`${comes}${this.#at(from)}{opacity:1}${goes}`, "s");
    return goes === "" ? name : `${name} gone`;
  }

  /** Goes to the right by so much, in so many steps. */
  moving(from: number, to: number, distance: number, steps: number): string {
    const way = `translate(${distance}px)`;
    return this.#name(`0%,${this.#at(from)}{transform:none}${this.#at(to)},to{transform:${way}}/${steps}`, "m");
  }

  get css(): string {
    const seconds = `${Math.round(this.#duration) / 1000}s`;
    const rules = [...this.#names].map(([frames, name]) => {
      const [times, steps] = frames.split("/");
      const timing = steps === undefined ? "step-end" : `steps(${steps})`;
      return `@keyframes ${name}{${times}}.${name}{animation:${name} ${seconds} ${timing} infinite}`;
    });
    return [
      ...rules,
      `@keyframes progress{to{transform:none}}.progress{animation:progress ${seconds} linear infinite}`,
    ].join("\n");
  }

  #name(frames: string, letter: string): string {
    const name = this.#names.get(frames) ?? `${letter}${this.#names.size}`;
    this.#names.set(frames, name);
    return name;
  }

  #at(time: number): string {
    return `${Math.round((time / this.#duration) * 100_00) / 100}%`;
  }
}
