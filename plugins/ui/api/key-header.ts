/** The header with the key of the page, which each of its requests has. */
export const KEY_HEADER = "engine-ui-key";
