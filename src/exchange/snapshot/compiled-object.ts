import type { ConfigurationObject } from '../configuration.ts';
import { textOf } from '../stored-values.ts';
import type { Check } from '../targeting/rule.ts';
import type { Account, ExchangeObject, MatchFlags, ObjectLimits } from './exchange-object.ts';
import type { Lazy } from './lazy.ts';
import { limitsOf, matchFlagsOf } from './stored-settings.ts';

/** What an object asks of an opportunity or a request, compiled from the object. */
export type LazyChecks = Lazy<ConfigurationObject, readonly Check[]>;

/** What compiled supply and demand objects have in common. A class for the same reason as `Lazy`. */
export abstract class CompiledObject implements ExchangeObject {
  readonly id: number;
  readonly teamId: number;
  readonly name: string;
  readonly account: Account;
  readonly isActive: boolean;
  readonly limits: ObjectLimits;
  readonly match: MatchFlags;
  readonly document: Readonly<Record<string, unknown>>;
  /** What it was compiled from. */
  readonly object: ConfigurationObject;
  readonly lazyChecks: LazyChecks;

  /** `amountDaily`: the field that limits the money of a day. */
  constructor(checks: LazyChecks, account: Account, amountDaily: string) {
    const object = checks.from;
    this.id = object.id;
    this.teamId = object.teamId;
    this.name = textOf(object.document, 'Name');
    this.account = account;
    this.isActive = object.status === 0;
    this.limits = limitsOf(object, amountDaily);
    this.match = matchFlagsOf(object);
    this.document = object.document;
    this.object = object;
    this.lazyChecks = checks;
  }

  get checks(): readonly Check[] {
    return this.lazyChecks.get();
  }
}
