import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface Options {
  readonly rounds: number;
  readonly seconds: number;
  /** Name of the one measure to run; undefined = all. */
  readonly only: string | undefined;
  /** File for the figures as JSON. */
  readonly json: string | undefined;
  /** Folder of another checkout, whose Bourse takes turns with this one in `bench:exchange`. */
  readonly against: string | undefined;
  /** Folder for a CPU profile of the server that the measures of the management API share. */
  readonly profile: string | undefined;
}

const help = `npm run SCRIPT -- [options]
  --rounds <n>      rounds that are counted, after one to warm up (5)
  --seconds <s>     length of each contestant's turn in a round (2)
  --only <measure>  run one measure: NAMES
  --json <file>     write the figures to a file too
  --against <dir>   another checkout (with its node_modules): in bench:exchange its Bourse takes turns with this one
  --profile <dir>   write a CPU profile of the Bourse that bench:management fills with 10,000 objects;
                    read it with node bench/profile.ts <file>`;

function positive(text: string, name: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`--${name} must be a number above 0; it is "${text}"`);
}

/** Reads the command line. Throws a readable error if it is wrong. `--help` prints the help and ends the process. */
export function readOptions(script: string, names: readonly string[]): Options {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      only: { type: 'string' },
      json: { type: 'string' },
      against: { type: 'string' },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help.replace('SCRIPT', script).replace('NAMES', names.join(', ')));
    process.exit();
  }
  if (values.only !== undefined && !names.includes(values.only)) {
    throw new Error(`--only must be one of ${names.join(', ')}; it is "${values.only}"`);
  }
  return {
    rounds: Math.ceil(positive(values.rounds, 'rounds')),
    seconds: positive(values.seconds, 'seconds'),
    only: values.only,
    json: values.json,
    against: values.against,
    profile: values.profile,
  };
}
