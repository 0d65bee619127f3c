import type { MessageName } from "./descriptors.js";

interface RpcRow {
  /** In protocol 5 and 6, where they differ. */
  readonly names: string | readonly [five: string, six: string];
  readonly request: MessageName;
  readonly response: MessageName;
}

/** What can be asked of a provider. */
export const RPCS = {
  schema: { names: ["GetSchema", "GetProviderSchema"], request: "Empty", response: "SchemaResponse" },
  validateProvider: {
    names: ["PrepareProviderConfig", "ValidateProviderConfig"],
    request: "ValidateProviderRequest",
    response: "ValidateProviderResponse",
  },
  validateResource: {
    names: ["ValidateResourceTypeConfig", "ValidateResourceConfig"],
    request: "ValidateRequest",
    response: "DiagnosticsResponse",
  },
  validateDataSource: {
    names: ["ValidateDataSourceConfig", "ValidateDataResourceConfig"],
    request: "ValidateRequest",
    response: "DiagnosticsResponse",
  },
  validateEphemeral: {
    names: "ValidateEphemeralResourceConfig",
    request: "ValidateRequest",
    response: "DiagnosticsResponse",
  },
  configure: {
    names: ["Configure", "ConfigureProvider"],
    request: "ConfigureRequest",
    response: "DiagnosticsResponse",
  },
  upgrade: { names: "UpgradeResourceState", request: "UpgradeRequest", response: "UpgradeResponse" },
  read: { names: "ReadResource", request: "ReadRequest", response: "ReadResponse" },
  plan: { names: "PlanResourceChange", request: "PlanRequest", response: "PlanResponse" },
  apply: { names: "ApplyResourceChange", request: "ApplyRequest", response: "ApplyResponse" },
  import: { names: "ImportResourceState", request: "ImportRequest", response: "ImportResponse" },
  move: { names: "MoveResourceState", request: "MoveRequest", response: "MoveResponse" },
  readDataSource: { names: "ReadDataSource", request: "ReadDataRequest", response: "ReadDataResponse" },
  openEphemeral: { names: "OpenEphemeralResource", request: "OpenRequest", response: "OpenResponse" },
  renewEphemeral: { names: "RenewEphemeralResource", request: "PrivateRequest", response: "RenewResponse" },
  closeEphemeral: { names: "CloseEphemeralResource", request: "PrivateRequest", response: "DiagnosticsResponse" },
  call: { names: "CallFunction", request: "CallRequest", response: "CallResponse" },
  stop: { names: ["Stop", "StopProvider"], request: "Empty", response: "StopResponse" },
} as const satisfies Readonly<Record<string, RpcRow>>;

/** A question, by the name that this project has for it. */
export type Rpc = keyof typeof RPCS;
/** The message that asks it. */
export type RequestOf<Name extends Rpc> = (typeof RPCS)[Name]["request"];
/** The message that answers it. */
export type ResponseOf<Name extends Rpc> = (typeof RPCS)[Name]["response"];

/** Of the library that serves providers: asks the process to end. */
export const SHUTDOWN = "/plugin.GRPCController/Shutdown";

/** As the protocol calls it. */
export function rpcName(rpc: Rpc, protocol: 5 | 6): string {
  const { names } = RPCS[rpc];
  return typeof names === "string" ? names : (names[protocol - 5] ?? names[1]);
}

/** Where gRPC asks for it. */
export function rpcPath(rpc: Rpc, protocol: 5 | 6): string {
  return `/tfplugin${protocol}.Provider/${rpcName(rpc, protocol)}`;
}
