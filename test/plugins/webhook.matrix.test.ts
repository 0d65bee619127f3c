import { describe } from "vitest";
import { tellsBeforeItsEnd } from "./tells-before-its-end.ts";

describe("a process with a webhook", () => tellsBeforeItsEnd(["never"]));
