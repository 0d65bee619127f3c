export { type OwnCertificate, ownCertificate } from "./certificate.js";
export { type Call, Connection, isOfLostConnection, loadGrpc } from "./connection.js";
export type { LogLevel } from "./provider-log.js";
export { type ProviderLaunch, ProviderProcess } from "./provider-process.js";
