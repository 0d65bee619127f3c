export type { MessageName } from "./descriptors.js";
export { type MessageCodec, messageCodec } from "./message-codec.js";
export { type Int64, integer, type Received, type Sent } from "./message-types.js";
export { type RequestOf, type ResponseOf, RPCS, type Rpc, rpcName, rpcPath, SHUTDOWN } from "./rpcs.js";
