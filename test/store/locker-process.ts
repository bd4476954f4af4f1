import { DatabaseSync } from 'node:sqlite';

/**
 * A process of its own: takes the writers' lock of a SQLite file, says so, and holds it until stdin tells something.
 */
const database = new DatabaseSync(process.argv[2] ?? '', { timeout: 5000 });
database.exec('begin immediate');
console.log('locked');
for await (const _ of process.stdin) break;
database.exec('commit');
database.close();
console.log('free');
process.exit(0);
