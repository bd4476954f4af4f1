import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

/** The most statements of a file and of a function: how the formatter breaks lines changes nothing. */
export interface Bounds {
  readonly fileStatementsMax: number;
  readonly functionStatementsMax: number;
}

export const longFiles = (sources: readonly Source[], { fileStatementsMax }: Bounds): Finding[] =>
  sources
    .filter(({ statements, generated }) => !generated && statements > fileStatementsMax)
    .map(({ path, statements }) => ({
      file: path,
      line: 1,
      rule: `the file has ${statements} statements, more than ${fileStatementsMax}: split it by concept`,
    }));

/** Functions over the bound. Under `test/` only the named: the callback of a test or a suite is its list. */
export const longFunctions = (sources: readonly Source[], { functionStatementsMax }: Bounds): Finding[] =>
  sources
    .filter(({ generated }) => !generated)
    .flatMap(({ path, functions }) =>
      functions
        .filter(({ name, statements }) => {
          const counts = name !== undefined || !path.startsWith('test/');
          return counts && statements > functionStatementsMax;
        })
        .map(({ name = 'the function', line, statements }) => ({
          file: path,
          line,
          rule: `${name} has ${statements} statements, more than ${functionStatementsMax}`,
        })),
    );
