/** `engine secrets generate-key` */
import { newKeyText } from "../../secrets/opener.js";
import { print } from "../output.js";

export function generateKey(): void {
  print(newKeyText());
}
