import { losesNothing } from "./loses-nothing.js";

losesNothing(["together"], 3);
