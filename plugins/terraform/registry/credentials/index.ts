export { type Credentials, credentialsOf, type HostToken, variableOf } from "./credentials.js";
