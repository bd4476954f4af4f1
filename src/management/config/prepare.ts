import type { WarningFacts } from '../../entities/setting-warning.ts';
import { type Fault, Refusal } from '../../fields/fault.ts';
import type { Actor, Store, TeamReads, Transaction } from '../../store/interface.ts';
import { applyPlan } from './apply.ts';
import { readDrafts } from './draft.ts';
import { managersOf } from './managers.ts';
import { hasNewConflicts, makePlan, type Plan } from './plan.ts';
import type { ConfigPlan } from './plan-entry.ts';
import { readConsistently } from './team-objects.ts';

/** Both refuse with `invalid` and all faults. */
export interface PreparedConfig {
  /** As of one moment; changes nothing. */
  readonly plan: () => Promise<ConfigPlan>;
  /** Plans; the result applies the plan in a transaction, and returns it with new IDs. */
  readonly beginApply: () => Promise<(transaction: Transaction) => Promise<ConfigPlan>>;
}

export interface PrepareOptions {
  /** True: deactivates active objects that are not in the document. */
  readonly deactivateMissing: boolean;
  readonly facts: WarningFacts;
  readonly faults?: readonly Fault[];
}

type Planner = (reads: TeamReads) => Promise<Plan>;

async function planConsistently(store: Store, teamId: number, planned: Planner): Promise<Plan> {
  // A refusal, too, counts only if the team has not changed meanwhile.
  const [outcome] = await readConsistently(store, teamId, (reads) => Promise.allSettled([planned(reads)]));
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** Before the transaction, so that writers wait less. The result gives that plan, or a new one if it may not hold. */
async function planAhead(store: Store, teamId: number, planned: Planner): Promise<Planner> {
  const reads = store.reads(teamId);
  const revision = await reads.revision();
  const outcome = await planned(reads).catch((error) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  return async (transaction) => {
    if ((await transaction.revision()) !== revision) return planned(transaction);
    if (outcome instanceof Refusal) throw outcome;
    return (await hasNewConflicts(transaction, outcome)) ? planned(transaction) : outcome;
  };
}

/** From outside, on behalf of an actor. */
export async function prepareConfig(
  store: Store,
  actor: Actor,
  document: unknown,
  { deactivateMissing, facts, faults = [] }: PrepareOptions,
): Promise<PreparedConfig> {
  const { teamId } = actor;
  const managers = managersOf(store.identity, teamId);
  const read = await readDrafts(document, managers);
  const drafts = { ...read, faults: [...faults, ...read.faults] };
  const planned: Planner = (reads) => makePlan(reads, drafts, { managers, deactivateMissing, facts });
  return {
    plan: () => planConsistently(store, teamId, planned),
    beginApply: async () => {
      const ahead = await planAhead(store, teamId, planned);
      return async (transaction) => applyPlan(transaction, await ahead(transaction), actor);
    },
  };
}
