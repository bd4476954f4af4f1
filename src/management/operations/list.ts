import { add } from './add.ts';
import type { EntityOperation } from './entity-operation.ts';
import { get } from './get.ts';
import { activate, deactivate } from './set-status.ts';
import { update } from './update.ts';

/** The operations of every entity. */
export const entityOperations: readonly EntityOperation[] = [add, update, activate, deactivate, get];
