/** What plugins are installed into: hooks with their guards, events, vetoes. */
export { createEventBus } from "./events.js";
export { createHooks } from "./hooks.js";
export { beforeOpen, hasHost, isRepeatedByHost, setHost } from "./host.js";
export { definePlugin, installPlugins } from "./plugin.js";
export { askForVetoes } from "./veto.js";
