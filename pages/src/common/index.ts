// What every page shares.

export * from "./bytes.ts";
export * from "./dom.ts";
export * from "./svg.ts";
export * from "./theme.ts";
export * from "./time.ts";
