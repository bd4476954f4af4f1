import type { DemandObject } from '../configuration.ts';
import { type CompileChecks, CompiledObject } from './compiled-object.ts';
import type { Demand } from './demand.ts';
import type { Account } from './exchange-object.ts';

export class CompiledDemand extends CompiledObject<DemandObject> implements Demand {
  /** Shared by versions of this object that ask the same of every opportunity. */
  readonly targeting: number;

  constructor(
    object: DemandObject,
    account: Account,
    compile: CompileChecks<DemandObject>,
    targeting: number,
    before?: CompiledDemand,
  ) {
    super(object, account, compile, before);
    this.targeting = targeting;
  }

  get gvlId(): number {
    return this.settings.GvlId || this.account.gvlId;
  }
}
