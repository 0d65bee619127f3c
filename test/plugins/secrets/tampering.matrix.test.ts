import { describe } from "vitest";
import { doNotDecryptChanged } from "./tampering.ts";

describe("ciphertexts", () => doNotDecryptChanged(1));
