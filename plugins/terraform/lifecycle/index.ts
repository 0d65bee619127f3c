export type { OpenProvider } from "./connections.js";
export { Offering } from "./instance.js";
export type { ProviderResourceOptions } from "./managed.js";
