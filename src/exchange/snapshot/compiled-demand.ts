import type { DemandObject } from '../configuration.ts';
import { type CompileChecks, CompiledObject } from './compiled-object.ts';
import type { Demand } from './demand.ts';
import type { Account } from './exchange-object.ts';

/** A demand object, compiled as far as it is asked for. */
export class CompiledDemand extends CompiledObject<DemandObject> implements Demand {
  /** A number that versions of this object share if they ask the same of every opportunity. */
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
}
