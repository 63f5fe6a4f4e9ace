/** `edge-interpreter/testing`: holds a snapshot store of your own to the contract. */
export * from "./store-contract.js";
