import type { ServedObject } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import { type DecodedObject, decodedObjects, undecoded } from './decoded-object.ts';
import type { Account, ExchangeObject, MatchFlags, ObjectLimits } from './exchange-object.ts';
import { PackedObject, plainObject } from './packed-object.ts';
import { limitsOf, matchFlagsOf } from './stored-settings.ts';

export type CompileChecks<O extends ServedObject> = (object: O) => readonly Check[];

/**
 * Few of 100,000 objects have traffic: settings are decoded on first use and may be evicted (`decodedObjects`). A
 * class, so that all share form and methods.
 */
export abstract class CompiledObject<O extends ServedObject> implements ExchangeObject {
  readonly kind: O['entity'];
  readonly id: number;
  readonly teamId: number;
  readonly account: Account;
  readonly isActive: boolean;
  readonly object: O;
  readonly #compile: CompileChecks<O>;
  /** Undefined until first asked for. */
  #opened: DecodedObject<O> | undefined;

  /** `before`: the same object compiled for another account. */
  constructor(object: O, account: Account, compile: CompileChecks<O>, before?: CompiledObject<O>) {
    this.kind = object.entity;
    this.id = object.id;
    this.teamId = object.teamId;
    this.account = account;
    this.isActive = object.status === 0;
    this.object = object;
    this.#compile = compile;
    this.#opened = before?.object === object ? before.#opened : undefined;
  }

  #open(): DecodedObject<O> {
    const decoded = this.#opened ?? undecoded<O>();
    const object = plainObject(this.object);
    decoded.object = object;
    decoded.settings = object.settings;
    decoded.limits = limitsOf(object);
    decoded.match = matchFlagsOf(object);
    decoded.isRecent = true;
    this.#opened = decoded;
    decodedObjects.add(decoded);
    return decoded;
  }

  /** All values, for those who read many objects: nothing is cached. */
  get whole(): O {
    return this.#opened?.object ?? plainObject(this.object);
  }

  get name(): string {
    return this.settings.Name;
  }

  get settings(): O['settings'] {
    const decoded = this.#opened;
    const settings = decoded?.settings;
    if (decoded === undefined || settings === undefined) return this.#open().settings as O['settings'];
    decoded.isRecent = true;
    return settings;
  }

  /** Read without decoding, because all objects are asked for them. */
  get limits(): ObjectLimits {
    const { object } = this;
    return this.#opened?.limits ?? (object instanceof PackedObject ? object.limits : limitsOf(object));
  }

  get match(): MatchFlags {
    return this.#opened?.match ?? (this.#open().match as MatchFlags);
  }

  get checks(): readonly Check[] {
    const known = this.#opened?.checks;
    if (known !== undefined) return known;
    const decoded = this.#opened?.object === undefined ? this.#open() : this.#opened;
    decoded.checks = this.#compile(decoded.object as O);
    return decoded.checks;
  }
}
