import { isBuiltin } from 'node:module';
import type { Finding } from './finding.ts';
import { roomOf } from './import-directions.ts';
import type { Source } from './source.ts';

/** What these rooms leave alone: packages by name, `node:` for all of Node's own modules. */
export interface PackageBan {
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
  readonly because: string;
}

/** Imports of packages that a ban names, types included: what has no use for a driver needs no type of it. */
export const forbiddenPackages = (sources: readonly Source[], bans: readonly PackageBan[]): Finding[] =>
  sources.flatMap(({ path, imports }) =>
    bans
      .filter(({ rooms }) => rooms.includes(roomOf(path) ?? ''))
      .flatMap(({ packages, because }) =>
        imports
          .filter(({ specifier }) => packages.some((name) => isOf(name, specifier)))
          .map(({ line, specifier }) => ({
            file: path,
            line,
            rule: `may not import ${specifier}: ${because}`,
          })),
      ),
  );

const isOf = (name: string, specifier: string) =>
  name === 'node:' ? isBuiltin(specifier) : specifier === name || specifier.startsWith(`${name}/`);
