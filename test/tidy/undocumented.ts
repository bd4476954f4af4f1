import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

/** Exported things that no doc comment of their own tells of. */
export const undocumented = (sources: readonly Source[]): Finding[] =>
  sources
    .filter(({ generated }) => !generated)
    .flatMap(({ path, exports }) =>
      exports
        .filter(({ isDocumented }) => !isDocumented)
        .map(({ name, line }) => ({ file: path, line, rule: `${name} is exported without a doc comment` })),
    );
