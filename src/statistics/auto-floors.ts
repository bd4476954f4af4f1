import { entityOf } from '../entities/registry.ts';
import { floorInForce } from '../reference/floor-in-force.ts';
import type { ChangeRecord, Store, StoredObject } from '../store/interface.ts';
import type { BidSamples } from '../store/statistics/interface.ts';
import { dayMs, dayOf, hourOf } from './days.ts';
import { favouredFloor } from './floors.ts';

export interface RuleKey {
  readonly teamId: number;
  readonly id: number;
}

export interface AutoFloorContext {
  readonly store: Pick<Store, 'changes' | 'reads' | 'statistics' | 'write'>;
  readonly now: () => number;
  /** Undefined without a current rate. */
  readonly usdPerUnit: (currency: string) => number | undefined;
}

const floorRule = entityOf('FloorRule');
const daysMax = 7;
/** Of an hour and thread each, with at most 64 auctions. */
const samplesMax = 1000;
/** Twice as many as its own in these days, which are one an hour. */
const changesMax = 2 * 24 * daysMax;
/** The program itself, by its clock. */
const ownUser = 0;

const isFound = ({ userId, after, links }: ChangeRecord) =>
  userId === ownUser &&
  Object.keys(links).length === 0 &&
  Object.keys(after).every((name) => name === 'AutoFloor');

/**
 * What is known of the bids that a floor rule decides about: of the last seven days, the newest first, and of whole hours
 * since somebody changed the rule, because before that it may have been for others. If there are more changes than are
 * read, from the oldest one that is.
 */
export async function ruleEvidence(
  { store, now }: Pick<AutoFloorContext, 'store' | 'now'>,
  { teamId, id }: RuleKey,
): Promise<BidSamples[]> {
  const fromMs = now() - daysMax * dayMs;
  const filter = { entity: floorRule.key, id, fromMs, newestFirst: true };
  const changes = await store.changes(teamId, filter, changesMax);
  const last = changes.find((change) => !isFound(change));
  const changed = last ?? (changes.length < changesMax ? undefined : changes.at(-1));
  const firstHour = hourOf(changed?.timeMs ?? fromMs) + 1;
  const samples: BidSamples[] = [];
  for (let day = dayOf(now()); day >= dayOf(fromMs) && samples.length < samplesMax; day -= 1) {
    const ofDay = await store.statistics.bidSamples({ kind: floorRule.key, id }, day);
    samples.push(...ofDay.filter(({ hour }) => hour >= firstHour).reverse());
  }
  return samples.slice(0, samplesMax);
}

async function found(context: AutoFloorContext, rule: RuleKey, { document }: StoredObject) {
  const { AutoMin: least = 0, AutoMax: most = 0, Currency } = document as RuleDocument;
  const usdPerUnit = context.usdPerUnit(Currency || 'USD');
  if (usdPerUnit === undefined) return undefined;
  const evidence = await ruleEvidence(context, rule);
  return favouredFloor(evidence, { now: floorInForce(document), least, most, usdPerUnit });
}

interface RuleDocument {
  readonly Auto?: number;
  readonly AutoMin?: number;
  readonly AutoMax?: number;
  readonly AutoFloor?: number | null;
  readonly Currency?: string;
}

/** Sets what the evidence favours, within the rule's bounds; nothing while it says too little, or the rule is off. */
export async function renewFloor(context: AutoFloorContext, rule: RuleKey): Promise<void> {
  const { store } = context;
  const { teamId, id } = rule;
  const asked = await store.reads(teamId).find(floorRule, id);
  if (asked?.status !== 0 || (asked.document as RuleDocument).Auto !== 1) return;
  const AutoFloor = await found(context, rule, asked);
  if (AutoFloor === undefined || AutoFloor === (asked.document as RuleDocument).AutoFloor) return;
  await store.write({ teamId, userId: ownUser }, async (transaction) => {
    const current = await transaction.find(floorRule, id);
    // Somebody has changed the rule meanwhile: the next hour judges that.
    if (current?.revision !== asked.revision) return;
    await transaction.update(floorRule, current, { document: { AutoFloor }, connections: {} });
  });
}
