import { losesNothing } from "./loses-nothing.js";

losesNothing(["together", "first", "nested", "scopes"]);
