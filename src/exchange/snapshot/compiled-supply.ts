import type { FormerSecrets } from '../../entities/former-secrets.ts';
import type { SupplyObject } from '../configuration.ts';
import { type CpmMicros, cpmMicrosOf } from '../money.ts';
import type { CandidateIndex } from '../targeting/index/candidate-index.ts';
import type { CompiledDemand } from './compiled-demand.ts';
import { type CompileChecks, CompiledObject } from './compiled-object.ts';
import type { Deal } from './deal.ts';
import type { Account } from './exchange-object.ts';
import type { Lazy } from './lazy.ts';
import { tmaxMsOf } from './stored-settings.ts';
import type { Supply } from './supply.ts';

export type LazyCandidates = Lazy<readonly CompiledDemand[], CandidateIndex>;

/** What belongs to a supply object and is compiled apart from it. */
interface ForSupply extends Pick<Supply, 'deals' | 'inactiveDeals'> {
  readonly candidates: LazyCandidates;
}

export class CompiledSupply extends CompiledObject<SupplyObject> implements Supply {
  /** `credentialHash`. */
  readonly auth: string;
  readonly formerSecrets: FormerSecrets | undefined;
  readonly floorCpmMicros: CpmMicros;
  readonly publisherProfitShare: number;
  readonly auctionType: 1 | 2;
  readonly tmaxMs: number;
  readonly lazyCandidates: LazyCandidates;
  readonly deals: readonly Deal[] | undefined;
  readonly inactiveDeals: readonly Deal[] | undefined;

  constructor(
    object: SupplyObject,
    account: Account,
    compile: CompileChecks<SupplyObject>,
    { candidates, deals, inactiveDeals }: ForSupply,
    before?: CompiledSupply,
  ) {
    super(object, account, compile, before);
    const { settings, formerSecrets } = object;
    this.auth = settings.Auth;
    this.formerSecrets = formerSecrets;
    this.floorCpmMicros = cpmMicrosOf(settings.Bidfloor ?? 0);
    this.publisherProfitShare = settings.PublisherProfitShare;
    this.auctionType = settings.AuctionType === 2 ? 2 : 1;
    this.tmaxMs = tmaxMsOf(settings);
    this.lazyCandidates = candidates;
    this.deals = deals;
    this.inactiveDeals = inactiveDeals;
  }

  get candidates(): CandidateIndex {
    return this.lazyCandidates.get();
  }
}
