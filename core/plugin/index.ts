/** Plugin support: guarded hooks, events, installation, vetoes. */
export { createEventBus } from "./events.js";
export { createHooks } from "./hooks.js";
export { beforeOpen, definePlugin, hasHost, installPlugins, isRepeatedByHost, setHost } from "./plugin.js";
export { askForVetoes } from "./tap-options.js";
