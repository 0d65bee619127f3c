import { losesNothing } from "./loses-nothing.js";

losesNothing(["first", "nested", "scopes"]);
