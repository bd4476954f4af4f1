import type { ServedObject } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import type { Account, ExchangeObject, MatchFlags, ObjectLimits } from './exchange-object.ts';
import { type Opened, openObjects } from './opened.ts';
import { whole } from './packed-object.ts';
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
  /** What was read of the object; undefined while it is closed. */
  opened: Opened<O> | undefined;

  /** `before`: the same object as it was compiled for another account. */
  constructor(object: O, account: Account, compile: CompileChecks<O>, before?: CompiledObject<O>) {
    this.kind = object.entity;
    this.id = object.id;
    this.teamId = object.teamId;
    this.account = account;
    this.isActive = object.status === 0;
    this.object = object;
    this.#compile = compile;
    this.opened = before?.object === object ? before.opened : undefined;
    if (this.opened) openObjects.add(this);
  }

  /** The object with its values, opened. */
  get open(): Opened<O> {
    const { opened } = this;
    if (opened !== undefined) {
      opened.isRecent = true;
      return opened;
    }
    const object = whole(this.object);
    const limits = limitsOf(object);
    const match = matchFlagsOf(object);
    const fresh: Opened<O> = { object, limits, match, checks: undefined, isRecent: true };
    this.opened = fresh;
    openObjects.add(this);
    return fresh;
  }

  get name(): string {
    return this.open.object.settings.Name;
  }

  get settings(): O['settings'] {
    return this.open.object.settings;
  }

  get limits(): ObjectLimits {
    return this.open.limits;
  }

  get match(): MatchFlags {
    return this.open.match;
  }

  get checks(): readonly Check[] {
    const { open } = this;
    open.checks ??= this.#compile(open.object);
    return open.checks;
  }
}
