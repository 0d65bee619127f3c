export {
  hidesAny,
  holds,
  type OutputSecrets,
  secretsAsIn,
  secretsGiven,
  secretTextsIn,
  withSecrets,
} from "./output-secrets.js";
export {
  asRecorded,
  type ConfigProps,
  checkConfig,
  holdsUnknown,
  maskConfig,
  recordedConfig,
  refuseShown,
  schemaThat,
  sealed,
  sealedProps,
  sealing,
} from "./recorded-config.js";
export { withStatedSecrets } from "./stated-secrets.js";
