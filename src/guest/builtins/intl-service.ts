import { ask, create, describeFormatter } from "./intl-request.js";

export let descriptionOf: (formatter: Service) => string;

/** What all formatters share: the description that goes to the host with each call. */
export class Service {
  readonly #description: string;

  constructor(type: string, locales: unknown, options: unknown) {
    this.#description = create(describeFormatter(type, locales, options));
  }

  static {
    descriptionOf = (formatter) => formatter.#description;
  }

  resolvedOptions(): unknown {
    return ask(this.#description, "resolvedOptions", []);
  }
}
