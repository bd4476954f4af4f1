import type { ServedObject } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import type { Account, ExchangeObject, MatchFlags, ObjectLimits } from './exchange-object.ts';
import { type Opened, openObjects, type Values } from './opened.ts';
import { PackedObject, whole } from './packed-object.ts';
import { limitsOf, matchFlagsOf } from './stored-settings.ts';

/** Compiles what an object asks of an opportunity or a request. */
export type CompileChecks<O extends ServedObject> = (object: O) => readonly Check[];

/**
 * What compiled supply and demand objects have in common. Few of 100,000 objects have traffic at a time: what is in
 * their settings is read when it is first asked for, and may be closed again (`openObjects`). A class, so that all of
 * them share their form and their methods.
 */
export abstract class CompiledObject<O extends ServedObject> implements ExchangeObject {
  readonly kind: O['entity'];
  readonly id: number;
  readonly teamId: number;
  readonly account: Account;
  readonly isActive: boolean;
  /** What it was compiled from. */
  readonly object: O;
  readonly #compile: CompileChecks<O>;
  /** What was read of the object; undefined where that was never asked for. */
  #opened: Opened<O> | undefined;

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

  /** Its values, opened. */
  get #values(): Values<O> {
    const opened = this.#opened;
    const values = opened?.values;
    if (opened === undefined || values === undefined) return this.#open();
    opened.isRecent = true;
    return values;
  }

  #open(): Values<O> {
    const object = whole(this.object);
    const values = { object, limits: limitsOf(object), match: matchFlagsOf(object), checks: undefined };
    const opened = this.#opened ?? { values, isRecent: true };
    opened.values = values;
    opened.isRecent = true;
    this.#opened = opened;
    openObjects.add(opened);
    return values;
  }

  /** The object with all of its values, for somebody who asks for those of many objects: it is not kept open. */
  get whole(): O {
    return this.#opened?.values?.object ?? whole(this.object);
  }

  get name(): string {
    return this.#values.object.settings.Name;
  }

  get settings(): O['settings'] {
    return this.#values.object.settings;
  }

  /** Those of an object that is not open are read by themselves, as they are asked of all objects. */
  get limits(): ObjectLimits {
    const { object } = this;
    return (
      this.#opened?.values?.limits ?? (object instanceof PackedObject ? object.limits : limitsOf(object))
    );
  }

  get match(): MatchFlags {
    return this.#values.match;
  }

  get checks(): readonly Check[] {
    const values = this.#values;
    values.checks ??= this.#compile(values.object);
    return values.checks;
  }
}
