import { describe } from "vitest";
import { stores, unchangedUps } from "./counts.js";

describe.each(stores)("on $store", ({ append }) => unchangedUps([10_000], append));
