import type { Fault } from '../../fields/fault.ts';
import type { Actor, Store, TeamReads, Transaction } from '../../store/interface.ts';
import { carryOut } from './apply.ts';
import { readDrafts } from './draft.ts';
import { managersOf } from './managers.ts';
import { makePlan, type PlanEntry } from './plan.ts';

/** A document that is ready to be planned or applied. Both refuse with `invalid` and all faults. */
export interface Prepared {
  /** Tells what `apply` would do, and changes nothing. */
  readonly plan: (reads: TeamReads) => Promise<readonly PlanEntry[]>;
  /** Carries out the plan, and answers the same with the IDs of new objects. */
  readonly apply: (transaction: Transaction) => Promise<readonly PlanEntry[]>;
}

/** How a document is to be taken. */
export interface PrepareOptions {
  /** True: active objects that the document does not name are to be deactivated. */
  readonly deactivateMissing: boolean;
  /** What is known to be wrong with the document's text. */
  readonly faults?: readonly Fault[];
}

/** Reads a document that comes from outside, on behalf of an actor. */
export async function prepare(
  { identity }: Pick<Store, 'identity'>,
  actor: Actor,
  document: unknown,
  { deactivateMissing, faults = [] }: PrepareOptions,
): Promise<Prepared> {
  const managers = managersOf(identity, actor.teamId);
  const read = await readDrafts(document, managers);
  const drafts = { ...read, faults: [...faults, ...read.faults] };
  const planned = (reads: TeamReads) => makePlan(reads, drafts, { managers, deactivateMissing });
  return {
    plan: async (reads) => (await planned(reads)).entries,
    apply: async (transaction) => carryOut(transaction, await planned(transaction), actor),
  };
}
