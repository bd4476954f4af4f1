import type { ConfigurationObject, DemandKindName } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import type { Demand } from './demand.ts';
import type { Account, MatchFlags, ObjectLimits } from './exchange-object.ts';
import { demandKinds } from './kinds.ts';
import type { Lazy } from './lazy.ts';
import { limitsOf, matchFlagsOf } from './stored-settings.ts';

/** What an object asks of an opportunity or a request, compiled from the object. */
export type LazyChecks = Lazy<ConfigurationObject, readonly Check[]>;

/** A demand object, compiled as far as it is asked for; a class for the reasons of `Lazy`. */
export class CompiledDemand implements Demand {
  readonly kind: DemandKindName;
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

  constructor(checks: LazyChecks, account: Account) {
    const object = checks.from;
    this.kind = object.entity as DemandKindName;
    this.id = object.id;
    this.teamId = object.teamId;
    this.name = String(object.document.Name ?? '');
    this.account = account;
    this.isActive = object.status === 0;
    this.limits = limitsOf(object, demandKinds[this.kind].amountDaily);
    this.match = matchFlagsOf(object);
    this.document = object.document;
    this.object = object;
    this.lazyChecks = checks;
  }

  get checks(): readonly Check[] {
    return this.lazyChecks.get();
  }
}
