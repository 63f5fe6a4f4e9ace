/** `edge-interpreter/testing`: holds a snapshot store of your own to the contract. */
export {
  type StoreCase,
  type StoreContractOptions,
  type StoreUnderTest,
  storeContract,
} from "./store-contract.js";
