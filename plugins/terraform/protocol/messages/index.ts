export type { MessageName } from "./descriptors.js";
export { type Int64, integer, type MessageCodec, messageCodec, type Received, type Sent } from "./message-codec.js";
export { type RequestOf, type ResponseOf, RPCS, type Rpc, rpcName, rpcPath, SHUTDOWN } from "./rpcs.js";
