/** Compiled on first use, because few of 100,000 objects have traffic. A class, so that all share form and methods. */
export class Lazy<From, To> {
  readonly from: From;
  readonly #compile: (from: From) => To;
  #made: To | undefined;

  constructor(from: From, compile: (from: From) => To, made?: To) {
    this.from = from;
    this.#compile = compile;
    this.#made = made;
  }

  get made(): To | undefined {
    return this.#made;
  }

  get(): To {
    this.#made ??= this.#compile(this.from);
    return this.#made;
  }
}
