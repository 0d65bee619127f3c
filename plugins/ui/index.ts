/** `engine ui` for programs: {@link serveUi}, and the plugin {@link ui} for a page of a run. */
export { type UiOptions, ui } from "./plugin.js";
export { type ServedUi, type ServeUiOptions, serveUi } from "./serve-ui.js";
