/** `Intl.Locale`: its parts are asked for once, when it is made. */
import { NativeString, NativeTypeError } from "../primordials.js";
import { ask, create, describeFormatter, setLocaleCheck } from "./intl-request.js";

interface LocaleFields {
  readonly [field: string]: unknown;
}

export class Locale {
  readonly #tag: string;
  readonly #fields: LocaleFields;

  constructor(tag: unknown, options?: unknown) {
    if (typeof tag !== "string" && (typeof tag !== "object" || tag === null))
      throw new NativeTypeError("First argument to Intl.Locale constructor can't be empty or missing");
    const description = create(describeFormatter("Locale", [NativeString(tag)], options));
    this.#tag = ask(description, "toString", []) as string;
    this.#fields = ask(description, "fields", []) as LocaleFields;
  }

  static {
    setLocaleCheck((value) => #tag in value);
  }

  #field(name: string): unknown {
    return this.#fields[name];
  }
  get baseName(): unknown {
    return this.#field("baseName");
  }
  get calendar(): unknown {
    return this.#field("calendar");
  }
  get caseFirst(): unknown {
    return this.#field("caseFirst");
  }
  get collation(): unknown {
    return this.#field("collation");
  }
  get hourCycle(): unknown {
    return this.#field("hourCycle");
  }
  get language(): unknown {
    return this.#field("language");
  }
  get numberingSystem(): unknown {
    return this.#field("numberingSystem");
  }
  get numeric(): unknown {
    return this.#field("numeric");
  }
  get region(): unknown {
    return this.#field("region");
  }
  get script(): unknown {
    return this.#field("script");
  }
  maximize(): Locale {
    return new Locale(ask(describeFormatter("Locale", [this.#tag]), "maximize", []));
  }
  minimize(): Locale {
    return new Locale(ask(describeFormatter("Locale", [this.#tag]), "minimize", []));
  }
  toString(): string {
    return this.#tag;
  }
}
