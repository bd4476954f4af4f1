import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

/** The longest file and function, in lines; a function counts from its first word to its closing brace. */
export interface Bounds {
  readonly fileLinesMax: number;
  readonly functionLinesMax: number;
}

export const longFiles = (sources: readonly Source[], { fileLinesMax }: Bounds): Finding[] =>
  sources
    .filter(({ lines, generated }) => !generated && lines > fileLinesMax)
    .map(({ path, lines }) => ({
      file: path,
      line: fileLinesMax + 1,
      rule: `the file has ${lines} lines, more than ${fileLinesMax}: two rooms in one`,
    }));

/** Functions over the bound. Under `test/` only the named: the callback of a test or a suite is its list. */
export const longFunctions = (sources: readonly Source[], { functionLinesMax }: Bounds): Finding[] =>
  sources
    .filter(({ generated }) => !generated)
    .flatMap(({ path, functions }) =>
      functions
        .filter(
          ({ name, lines }) => lines > functionLinesMax && (name !== undefined || !path.startsWith('test/')),
        )
        .map(({ name = 'the function', line, lines }) => ({
          file: path,
          line,
          rule: `${name} has ${lines} lines, more than ${functionLinesMax}`,
        })),
    );
