import type { Entity } from '../entities/entity.ts';
import type { Fault } from '../fields/fault.ts';
import type { Values } from '../store/interface.ts';
import { alertFaults } from './alerts/alert-faults.ts';
import { reportFaults } from './statistics/report-faults.ts';

/** By entity; paths are relative to the object. */
const checks: ReadonlyMap<string, (values: Values) => readonly Fault[]> = new Map([
  ['Report', reportFaults],
  ['Alert', alertFaults],
]);

/** Once each field is right. */
export const objectFaults = (entity: Entity, values: Values): readonly Fault[] => [
  ...(entity.check?.(values) ?? []),
  ...(checks.get(entity.key)?.(values) ?? []),
];
