import type { ServedObject } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import type { Account, ExchangeObject, MatchFlags, ObjectLimits } from './exchange-object.ts';
import type { Lazy } from './lazy.ts';
import { limitsOf, matchFlagsOf } from './stored-settings.ts';

/** What an object asks of an opportunity or a request, compiled from the object. */
export type LazyChecks<O extends ServedObject> = Lazy<O, readonly Check[]>;

/** What compiled supply and demand objects have in common. A class for the same reason as `Lazy`. */
export abstract class CompiledObject<O extends ServedObject> implements ExchangeObject {
  readonly kind: O['entity'];
  readonly id: number;
  readonly teamId: number;
  readonly name: string;
  readonly account: Account;
  readonly isActive: boolean;
  readonly limits: ObjectLimits;
  readonly match: MatchFlags;
  readonly settings: O['settings'];
  /** What it was compiled from. */
  readonly object: O;
  readonly lazyChecks: LazyChecks<O>;

  constructor(checks: LazyChecks<O>, account: Account) {
    const object = checks.from;
    this.kind = object.entity;
    this.id = object.id;
    this.teamId = object.teamId;
    this.name = object.settings.Name;
    this.account = account;
    this.isActive = object.status === 0;
    this.limits = limitsOf(object);
    this.match = matchFlagsOf(object);
    this.settings = object.settings;
    this.object = object;
    this.lazyChecks = checks;
  }

  get checks(): readonly Check[] {
    return this.lazyChecks.get();
  }
}
