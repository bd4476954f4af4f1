import { describe } from 'node:test';
import { storeContract } from './contract.ts';
import { sqlite } from './sqlite-engine.ts';

describe(sqlite.name, () => storeContract(sqlite));
