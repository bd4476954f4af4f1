import type { SupplyKind } from '../configuration.ts';
import { type CpmMicros, cpmMicrosOf } from '../money.ts';
import { numberOf, textOf } from '../stored-values.ts';
import type { CandidateIndex } from '../targeting/candidate-index.ts';
import type { CompiledDemand } from './compiled-demand.ts';
import { CompiledObject, type LazyChecks } from './compiled-object.ts';
import type { Account } from './exchange-object.ts';
import { supplyKinds } from './kinds.ts';
import type { Lazy } from './lazy.ts';
import { tmaxMsOf } from './stored-settings.ts';
import type { Supply } from './supply.ts';

/** The demand connected to a supply object, and the index compiled from it. */
export type LazyCandidates = Lazy<readonly CompiledDemand[], CandidateIndex>;

/** A supply object, compiled as far as it is asked for. */
export class CompiledSupply extends CompiledObject implements Supply {
  readonly kind: SupplyKind;
  readonly auth: string;
  readonly floorCpmMicros: CpmMicros;
  readonly publisherProfitShare: number;
  readonly auctionType: 1 | 2;
  readonly tmaxMs: number;
  readonly lazyCandidates: LazyCandidates;

  constructor(checks: LazyChecks, candidates: LazyCandidates, account: Account) {
    const kind = checks.from.entity as SupplyKind;
    super(checks, account, supplyKinds[kind].amountDaily);
    const { object, document } = this;
    this.kind = kind;
    this.auth = textOf(document, 'Auth');
    this.floorCpmMicros = cpmMicrosOf(numberOf(document, 'Bidfloor'));
    this.publisherProfitShare = numberOf(document, 'PublisherProfitShare');
    this.auctionType = numberOf(document, 'AuctionType') === 2 ? 2 : 1;
    this.tmaxMs = tmaxMsOf(object);
    this.lazyCandidates = candidates;
  }

  get candidates(): CandidateIndex {
    return this.lazyCandidates.get();
  }
}
