/** `edge-interpreter/testing`: holds a snapshot store of your own to the contract. */
export { type StoreContractOptions, storeContract } from "./store-contract.js";
export type { StoreCase, StoreUnderTest } from "./store-under-test.js";
