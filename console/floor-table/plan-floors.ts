import {
  type Conditions,
  conditionsKey,
  priorityOf,
  type Values,
  wordsOf,
} from '../../src/management/floor-files/conditions.ts';
import type { ManyChange } from '../api/batch.ts';
import type { Stored } from '../api/objects.ts';
import { itemsIn } from '../api/values.ts';
import { isActive, objectName } from '../parts/object-name.ts';
import {
  conditionsIn,
  floorTable,
  inOrder,
  isAuto,
  isOwn,
  isSimple,
  type RuleFields,
  type Scope,
} from './floor-table.ts';

export interface WantedFloor {
  /** Where it was typed or read. */
  readonly place: string;
  readonly conditions: Conditions;
  /** Absent: there is to be none. */
  readonly settings?: Values | undefined;
  /** What a new rule has besides. */
  readonly added: Values & { readonly Name: string };
}

export interface PlannedFloors {
  readonly changes: readonly { readonly place: string; readonly change: ManyChange }[];
  readonly faults: readonly { readonly place: string; readonly text: string }[];
}

export interface Planning {
  /** Of all rules of the team. */
  readonly rules: readonly Stored[];
  readonly scope: Scope;
  readonly fields: RuleFields;
  /** Key of the entity of rules. */
  readonly entity: string;
}

const fileConditions = ['AdTypes', 'SizesList'] as const;

/** The rules that a file or table can mean, by their conditions: active ones before others. */
function byConditions({ rules, scope, fields }: Planning): ReadonlyMap<string, Stored> {
  const own = rules.filter(
    (rule) =>
      isOwn(rule, scope, fields) &&
      isSimple(rule, fields, fileConditions) &&
      !(rule.SizesListMode === 0 && itemsIn(rule.SizesList).length > 0),
  );
  const ordered = [...inOrder(own.filter(isActive)), ...inOrder(own.filter((rule) => !isActive(rule)))];
  return new Map(ordered.toReversed().map((rule) => [conditionsKey(conditionsIn(rule)), rule]));
}

const sameText = (name: string, value: unknown) =>
  name === 'Currency' && value === 'USD' ? '""' : JSON.stringify(value);

/** A floor that is said ends one that is found automatically. */
function differing(settings: Values, rule: Stored): Values {
  const different = Object.entries(settings).filter(
    ([name, value]) => sameText(name, value) !== sameText(name, rule[name]),
  );
  return { ...Object.fromEntries(different), ...(isAuto(rule) && { Floor: settings.Floor, Auto: 0 }) };
}

/** A name that no other rule has, so that documents of the configuration can tell them apart. */
function uniqueName(wanted: string, names: Set<string>): string {
  let name = wanted;
  for (let count = 2; names.has(name); count += 1) name = `${wanted} (${count})`;
  names.add(name);
  return name;
}

const cannotHold = (rule: Stored) =>
  `${objectName(rule)} has Priority ${rule.Priority} and holds before all others: give it a higher number first`;

/** What makes rules of a scope those that are wanted, so that each new or changed floor holds. */
export function planFloors(wanted: readonly WantedFloor[], planning: Planning): PlannedFloors {
  const { rules, scope, fields, entity } = planning;
  const known = byConditions(planning);
  const { cellAt } = floorTable(rules, scope, fields, { rows: [], columns: [] });
  const names = new Set(rules.map(objectName));
  const faults: { place: string; text: string }[] = [];
  const change = (Operation: ManyChange['Operation'], Object_: Values): ManyChange => ({
    Entity: entity,
    Operation,
    Object: Object_,
  });
  const heldBefore = ({ conditions }: WantedFloor, priority: number, id: number): Stored | undefined => {
    if (fileConditions.some((name) => conditions[name]?.length)) return undefined;
    const { held } = cellAt(wordsOf('Countries', conditions), wordsOf('DeviceTypes', conditions));
    const comesFirst =
      held && (Number(held.Priority) < priority || (Number(held.Priority) === priority && held.Id < id));
    return comesFirst ? held : undefined;
  };
  /** The priority by which it holds, where the one that it would have does not do. */
  const priorityFor = (floor: WantedFloor, priority: number, id: number): Values => {
    const held = floor.settings?.Priority === undefined ? heldBefore(floor, priority, id) : undefined;
    if (held && Number(held.Priority) === 1) faults.push({ place: floor.place, text: cannotHold(held) });
    return held ? { Priority: Math.max(1, Number(held.Priority) - 1) } : {};
  };
  const added = (floor: WantedFloor, settings: Values): ManyChange[] => {
    const values: Values = { ...floor.added, ...floor.conditions, ...settings };
    const priority = Number(values.Priority ?? priorityOf(floor.conditions));
    const Name =
      scope.name && settings.Name === undefined ? `${values.Name}, ${scope.name}` : String(values.Name);
    return [
      change('add', {
        ...values,
        Name: uniqueName(Name, names),
        Priority: priority,
        ...priorityFor(floor, priority, Number.POSITIVE_INFINITY),
        ...(scope.owner && { [scope.owner[0]]: [scope.owner[1]] }),
      }),
    ];
  };
  const changed = (floor: WantedFloor, settings: Values, rule: Stored): ManyChange[] => {
    const different = differing(settings, rule);
    const isOff = !isActive(rule);
    if (Object.keys(different).length === 0 && !isOff) return [];
    const values = { ...different, ...priorityFor(floor, Number(rule.Priority), rule.Id) };
    return [
      ...(Object.keys(values).length > 0 ? [change('update', { Id: rule.Id, ...values })] : []),
      ...(isOff ? [change('activate', { Id: rule.Id })] : []),
    ];
  };
  const changesOf = (floor: WantedFloor): ManyChange[] => {
    const rule = known.get(conditionsKey(floor.conditions));
    if (floor.settings) return rule ? changed(floor, floor.settings, rule) : added(floor, floor.settings);
    return rule && isActive(rule) ? [change('deactivate', { Id: rule.Id })] : [];
  };
  const changes = wanted.flatMap((floor) =>
    changesOf(floor).map((one) => ({ place: floor.place, change: one })),
  );
  return { changes, faults };
}
