import fc from "fast-check";

/**
 * The same random cases in every run, so that a failure is the change's and not the day's. `FC_SEED=random` draws new
 * ones, a number repeats those of a report.
 */
declare const process: { readonly env?: Record<string, string | undefined> } | undefined;
const wanted = typeof process === "undefined" ? undefined : process.env?.["FC_SEED"];
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted ?? 20261130) });
