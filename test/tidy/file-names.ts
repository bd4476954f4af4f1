import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

/** Files and folders whose name, without its ending, says nothing of what they hold. */
export const emptyNames = (sources: readonly Source[], emptyWords: RegExp): Finding[] =>
  sources.flatMap(({ path }) =>
    path
      .split('/')
      .map((part) => part.replace(/\..*$/, ''))
      .filter((part) => emptyWords.test(part))
      .map((part) => ({ file: path, line: 1, rule: `${part} is no name: say what is in it` })),
  );
