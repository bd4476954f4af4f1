import { addsContract } from './adds-contract.ts';
import { answersContract } from './answers-contract.ts';
import { changesContract } from './changes-contract.ts';
import { comparisonContract } from './comparison-contract.ts';
import { connectionsContract } from './connections-contract.ts';
import { demonstrationsContract } from './demonstrations-contract.ts';
import type { Engine } from './engine.ts';
import { feedContract } from './feed-contract.ts';
import { identityContract } from './identity-contract.ts';
import { jobsContract } from './jobs-contract.ts';
import { keptContract } from './kept-contract.ts';
import { modelContract } from './model-contract.ts';
import { noticesContract } from './notices-contract.ts';
import { objectsContract } from './objects-contract.ts';
import { reconciliationContract } from './reconciliation-contract.ts';
import { statisticsContract } from './statistics-contract.ts';
import { takingContract } from './taking-contract.ts';
import { textsContract } from './texts-contract.ts';
import { writesContract } from './writes-contract.ts';

/** Everything that the store and the identity store promise, on one kind of database. */
export function storeContract(engine: Engine): void {
  objectsContract(engine);
  writesContract(engine);
  addsContract(engine);
  answersContract(engine);
  connectionsContract(engine);
  textsContract(engine);
  changesContract(engine);
  feedContract(engine);
  identityContract(engine);
  modelContract(engine);
  statisticsContract(engine);
  takingContract(engine);
  keptContract(engine);
  noticesContract(engine);
  demonstrationsContract(engine);
  jobsContract(engine);
  reconciliationContract(engine);
  comparisonContract(engine);
}
