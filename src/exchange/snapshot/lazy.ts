/**
 * A value that is compiled when it is first asked for, because few of 100,000 objects have traffic at a time. A class,
 * so that all of them share their form and their methods.
 */
export class Lazy<From, To> {
  readonly from: From;
  readonly #compile: (from: From) => To;
  #made: To | undefined;

  /** `made`: the compiled value, where it is known already. */
  constructor(from: From, compile: (from: From) => To, made?: To) {
    this.from = from;
    this.#compile = compile;
    this.#made = made;
  }

  /** The compiled value, if there is one yet. */
  get made(): To | undefined {
    return this.#made;
  }

  get(): To {
    this.#made ??= this.#compile(this.from);
    return this.#made;
  }
}
