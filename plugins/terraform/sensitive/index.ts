export { asRecorded } from "./as-recorded.js";
export {
  hidesAny,
  holds,
  type OutputSecrets,
  secretsAsIn,
  secretsGiven,
  secretTextsIn,
  withSecrets,
} from "./output-secrets.js";
export { type ConfigProps, checkConfig, maskConfig, recordedConfig, refuseShown } from "./recorded-config.js";
export { holdsUnknown, schemaThat, sealed, sealedProps, sealing } from "./sealed-props.js";
