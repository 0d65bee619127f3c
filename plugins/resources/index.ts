/** Resource types that ship with the engine. */
export { Command, type CommandOutput, type CommandProps } from "./command.js";
export { CopyFile, type CopyFileOutput, type CopyFileProps } from "./copy-file.js";
export { File, type FileProps } from "./file.js";
export { Folder, type FolderOutput, type FolderProps } from "./folder.js";
export type { FileOutput } from "./managed-file.js";
export { Password, type PasswordProps } from "./password.js";
export { Process, type ProcessOutput, type ProcessProps } from "./process.js";
export type { Ready } from "./process-ready.js";
export {
  type PasswordOutput,
  RandomString,
  type RandomStringOutput,
  type RandomStringProps,
  type RandomStringType,
  type SecretStringProps,
} from "./random-string.js";
