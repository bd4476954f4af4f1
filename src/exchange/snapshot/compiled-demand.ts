import type { DemandKindName } from '../configuration.ts';
import { CompiledObject, type LazyChecks } from './compiled-object.ts';
import type { Demand } from './demand.ts';
import type { Account } from './exchange-object.ts';
import { demandKinds } from './kinds.ts';

/** A demand object, compiled as far as it is asked for. */
export class CompiledDemand extends CompiledObject implements Demand {
  readonly kind: DemandKindName;
  /** A number that versions of this object share if they ask the same of every opportunity. */
  readonly targeting: number;

  constructor(checks: LazyChecks, account: Account, targeting: number) {
    const kind = checks.from.entity as DemandKindName;
    super(checks, account, demandKinds[kind].amountDaily);
    this.kind = kind;
    this.targeting = targeting;
  }
}
