import type { FieldWith, ListKind, TargetedKind } from '../../entities/kinds.ts';
import type { ZoneClock } from '../../shared/zone-clock.ts';
import type { TargetedObject } from '../configuration.ts';
import type { IpAddress, Opportunity } from '../opportunity.ts';
import type { Reason, Refusal } from '../reasons.ts';

/** `IpList.Kind`: its addresses are blocked, invalid traffic, or data centres and proxies. */
export type IpListKind = 0 | 1 | 2;

/** By ID. An inactive or absent list holds nothing. */
export interface Lists {
  /** The domain itself or a parent of it. */
  domain(listId: number, domain: string): boolean;
  app(listId: number, bundle: string): boolean;
  ip(listId: number, ip: IpAddress, kind: IpListKind): boolean;
  /** See `KeywordBlacklists`. */
  keyword(listId: number, query: string, mode: 0 | 1 | 2): string | undefined;
  /** IDs of active lists with `Global` = 1. */
  global(kind: ListKind, teamId: number): readonly number[];
}

export type Check = (opportunity: Opportunity) => Refusal | undefined;

export type RuleSubject = Pick<TargetedObject, 'entity' | 'settings'>;

export type SettingWith<Value> = FieldWith<Value, TargetedKind>;

/** With what its opportunities have in common besides its fields. */
export interface TargetedSupply extends RuleSubject {
  /** Its publisher's, or the publisher's ID. */
  readonly sellerId: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** The lowest CPM that a floor rule may set for the demand object; absent: none is for it. */
  readonly ruleFloorMin?: number | undefined;
}

/** Over all opportunities of a supply object; absent: unbounded. */
export interface NumberRange {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/**
 * The object wants some of the opportunity's keys (`only`) or none (`except`). Without keys, `only` refuses and
 * `except` admits (reference, "Targeting"). Indexed as one bitmap per key.
 */
export interface KeyRestriction {
  readonly mode: 'only' | 'except';
  readonly keys: ReadonlySet<string>;
}

/** Of a supply object's opportunities; `none`: never any. */
export type PossibleKeys = KeyRestriction | 'none';

/** One bitmap per key over all connected demand, and one look-up per opportunity. */
export interface KeyRule {
  readonly form: 'keys';
  /** As explanations name it. */
  readonly field: string;
  readonly reason: Reason;
  /** In the form that `restriction` uses. */
  keysOf(opportunity: Opportunity): readonly string[];
  /** Undefined if unrestricted. */
  restriction(object: RuleSubject): KeyRestriction | undefined;
  /** A key that stands for this one too, wanted or excepted (tier-1 categories). */
  coveredBy?(key: string): string | undefined;
  /** By the supply object's nature; undefined if only its own restriction says anything. */
  possibleKeys?(supply: TargetedSupply): PossibleKeys | undefined;
  /** Whether one opportunity can have both keys; absent: only if they are equal. */
  canShare?(one: string, other: string, supply: TargetedSupply): boolean;
  /** The field that a refusal names, if it depends on object and keys. */
  fieldOf?(object: RuleSubject, met: readonly string[]): string | undefined;
  /** A refusal's `met`, if not the keys themselves. */
  metOf?(opportunity: Opportunity): unknown;
}

export interface BoundRule {
  readonly form: 'bound';
  readonly field: string;
  readonly reason: Reason;
  readonly bound: 'maximum' | 'minimum';
  /** An opportunity without the number is admitted. */
  measure(opportunity: Opportunity): number | undefined;
  /** In the same unit; undefined if unrestricted. */
  boundOf(object: RuleSubject): number | undefined;
  /** Over all opportunities of a supply object; absent: any number. */
  possibleRange?(supply: TargetedSupply): NumberRange;
  /** How a refusal shows bound and number, if not as they are. */
  show?(number: number, object: RuleSubject): unknown;
  /** A refusal's `met`, if not the number. */
  metOf?(opportunity: Opportunity): unknown;
}

/**
 * Connected lists, and the team's global ones, which block in every object, even one with a whitelist (reference,
 * "`Global` of a list"). One look-up per list and opportunity.
 */
export interface ListRule {
  readonly form: 'lists';
  readonly field: string;
  readonly reason: Reason;
  readonly kind: Exclude<ListKind, 'KeywordList'>;
  /** At 1 the lists are a whitelist; absent: always a blacklist. */
  readonly modeField?: SettingWith<number>;
  /** As a refusal shows it; undefined if the opportunity has none. */
  subjectOf(opportunity: Opportunity): string | undefined;
  /** False without a subject. */
  holds(lists: Lists, listId: number, opportunity: Opportunity): boolean;
}

/** Fits none of the other forms. Only for supply, which has no index. */
export interface CheckRule {
  readonly form: 'check';
  readonly field: string;
  readonly reason: Reason;
  /** Of the lists that the field names, if any. */
  readonly kind?: ListKind;
  /** Undefined if unrestricted. */
  compile(object: TargetedObject, lists: Lists): Check | undefined;
}

/** Of an object: by its own clock, or by the viewer's where that is known. */
export interface OpenHours {
  /** See `week-hours.ts`. */
  readonly hours: string;
  readonly clock: ZoneClock;
  readonly areViewers: boolean;
}

/** Hours of the week. An index finds once a quarter hour which objects are open. */
export interface HoursRule {
  readonly form: 'hours';
  readonly field: string;
  readonly reason: Reason;
  /** Undefined if it is always open. */
  hoursOf(object: RuleSubject): OpenHours | undefined;
  /** By how much the viewer's clock is ahead of UTC; undefined if that is unknown. */
  viewerOffsetMs(opportunity: Opportunity): number | undefined;
}

/** Decided by the candidate index for all connected demand at once. */
export type IndexedRule = KeyRule | BoundRule | HoursRule | ListRule;

/** One file, one line in `rules.ts`. */
export type Rule = IndexedRule | CheckRule;
