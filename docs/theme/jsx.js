/** Elements of pages, as TypeDoc writes them. */
import { JSX } from "typedoc";

/** An element; children may be lists, texts, or nothing. */
export const h = JSX.createElement;

/** Text that is HTML already. */
export const raw = (html) => h(JSX.Raw, { html });

/** Several elements in place of one. */
export const together = (...children) => h(JSX.Fragment, null, ...children);

/** An icon of 20 by 20, drawn by strokes; `paths` are the values of `d`. */
export function icon(...paths) {
  const shape = { width: "20", height: "20", viewBox: "0 0 20 20", "aria-hidden": "true", class: "icon" };
  return h("svg", shape, ...paths.map((d) => h("path", { d })));
}

/** The link icon of a heading. */
export const anchor = () => icon("M7.5 4l-1.5 12", "M14 4l-1.5 12", "M4 8h13", "M3 12.5h13");
