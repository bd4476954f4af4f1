/**
 * What is compiled from something when it is first asked for: of 100,000 objects, few have traffic at a time. A class,
 * so that all of them share their form and their methods.
 */
export class Lazy<From, To> {
  readonly from: From;
  readonly #compile: (from: From) => To;
  #made: To | undefined;

  /** `made`: what it would be compiled to, where that is known. */
  constructor(from: From, compile: (from: From) => To, made?: To) {
    this.from = from;
    this.#compile = compile;
    this.#made = made;
  }

  /** What has been compiled, if anybody has asked for it. */
  get made(): To | undefined {
    return this.#made;
  }

  get(): To {
    this.#made ??= this.#compile(this.from);
    return this.#made;
  }
}
