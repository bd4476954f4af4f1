import type { ConfigurationObject, SupplyKind } from '../configuration.ts';
import { type CpmMicros, cpmMicrosOf } from '../money.ts';
import type { CandidateIndex } from '../targeting/candidate-index.ts';
import type { Check } from '../targeting/rule.ts';
import type { CompiledDemand, LazyChecks } from './compiled-demand.ts';
import type { Account, MatchFlags, ObjectLimits } from './exchange-object.ts';
import type { Lazy } from './lazy.ts';
import { limitsOf, matchFlagsOf, numberIn, tmaxMsOf } from './stored-settings.ts';
import type { Supply } from './supply.ts';

/** The demand connected to a supply object, and the index compiled from it. */
export type LazyCandidates = Lazy<readonly CompiledDemand[], CandidateIndex>;

/** A supply object, compiled as far as it is asked for; a class for the reasons of `Lazy`. */
export class CompiledSupply implements Supply {
  readonly kind: SupplyKind;
  readonly id: number;
  readonly teamId: number;
  readonly name: string;
  readonly account: Account;
  readonly isActive: boolean;
  readonly limits: ObjectLimits;
  readonly match: MatchFlags;
  readonly document: Readonly<Record<string, unknown>>;
  readonly auth: string;
  readonly floorCpmMicros: CpmMicros;
  readonly publisherProfitShare: number;
  readonly auctionType: 1 | 2;
  readonly tmaxMs: number;
  /** What it was compiled from. */
  readonly object: ConfigurationObject;
  readonly lazyChecks: LazyChecks;
  readonly lazyCandidates: LazyCandidates;

  constructor(checks: LazyChecks, candidates: LazyCandidates, account: Account) {
    const object = checks.from;
    this.kind = object.entity as SupplyKind;
    this.id = object.id;
    this.teamId = object.teamId;
    this.name = String(object.document.Name ?? '');
    this.account = account;
    this.isActive = object.status === 0;
    this.limits = limitsOf(object, 'SpentDailyLimit');
    this.match = matchFlagsOf(object);
    this.document = object.document;
    this.auth = String(object.document.Auth ?? '');
    this.floorCpmMicros = cpmMicrosOf(numberIn(object, 'Bidfloor'));
    this.publisherProfitShare = numberIn(object, 'PublisherProfitShare');
    this.auctionType = numberIn(object, 'AuctionType') === 2 ? 2 : 1;
    this.tmaxMs = tmaxMsOf(object);
    this.object = object;
    this.lazyChecks = checks;
    this.lazyCandidates = candidates;
  }

  get checks(): readonly Check[] {
    return this.lazyChecks.get();
  }

  get candidates(): CandidateIndex {
    return this.lazyCandidates.get();
  }
}
