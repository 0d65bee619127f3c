import { describe } from "vitest";
import { reachesTheProgram, sessionEach } from "./ended-session.ts";

sessionEach();

describe("SIGINT to the session alone", () => reachesTheProgram("SIGINT", 130));
