import type { ServedObject } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import { type DecodedObject, decodedObjects, undecoded } from './decoded-object.ts';
import type { Account, ExchangeObject, MatchFlags, ObjectLimits } from './exchange-object.ts';
import { PackedObject, plainObject } from './packed-object.ts';
import { limitsOf, matchFlagsOf } from './stored-settings.ts';

/** Compiles what an object asks of an opportunity or a request. */
export type CompileChecks<O extends ServedObject> = (object: O) => readonly Check[];

/**
 * What compiled supply and demand objects have in common. Few of 100,000 objects have traffic at a time: what is in
 * their settings is read when it is first asked for, and may be closed again (`decodedObjects`). A class, so that all of
 * them share their form and their methods.
 */
export abstract class CompiledObject<O extends ServedObject> implements ExchangeObject {
  readonly kind: O['entity'];
  readonly id: number;
  readonly teamId: number;
  readonly account: Account;
  readonly isActive: boolean;
  readonly object: O;
  readonly #compile: CompileChecks<O>;
  /** What was read of the object; undefined where that was never asked for. */
  #opened: DecodedObject<O> | undefined;

  /** `before`: the same object as it was compiled for another account. */
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

  /** The object with all of its values, for somebody who asks for those of many objects: it is not kept open. */
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

  /** Those of an object that is not open are read by themselves, as they are asked of all objects. */
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
