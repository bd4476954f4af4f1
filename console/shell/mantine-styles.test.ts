import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const core = join(root, 'node_modules/@mantine/core');
const read = (path: string) => readFileSync(path, 'utf8');

/** What the console takes from the library, by name. */
function namesUsed(): ReadonlySet<string> {
  const files = globSync('console/**/*.{ts,tsx}', { cwd: root, exclude: ['console/dist/**'] });
  const imports = files.flatMap((file) => [
    ...read(join(root, file)).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g),
  ]);
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  return new Set(names.filter((name) => name !== '' && !name.startsWith('type ')));
}

/** The stylesheets of some modules of the library and of all that these import. */
function stylesheetsOf(names: ReadonlySet<string>): ReadonlySet<string> {
  const exported = [...read(join(core, 'esm/index.mjs')).matchAll(/import \{([^}]*)\} from "([^"]+)"/g)];
  const modules = exported.flatMap(([, list = '', path = '']) =>
    list.split(',').some((name) => names.has(name.trim())) ? [join(core, 'esm', path)] : [],
  );
  const [found, seen] = [new Set<string>(), new Set<string>()];
  const follow = (file: string) => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    for (const [, path = ''] of read(file).matchAll(/from "(\.[^"]+)"/g)) {
      const [, styled] = /\/(\w+)\.module\.mjs$/.exec(path) ?? [];
      if (styled) found.add(styled);
      follow(join(dirname(file), path));
    }
  };
  for (const module of modules) follow(module);
  return found;
}

test('mantine.css imports the styles of what the console uses, in the order of the library', () => {
  const whole = read(join(core, 'styles.css'));
  const at = (name: string) =>
    whole.indexOf(
      read(join(core, `styles/${name}.css`))
        .trim()
        .slice(0, 200),
    );
  const expected = [...stylesheetsOf(namesUsed())].toSorted((one, other) => at(one) - at(other));
  const base = ['global', 'baseline', 'default-css-variables'].toSorted((one, other) => at(one) - at(other));
  const imported = read(join(import.meta.dirname, 'mantine.css')).matchAll(
    /@import ['"]@mantine\/core\/styles\/([\w-]+)\.css['"];/g,
  );
  assert.deepEqual(
    [...imported].map(([, name]) => name),
    [...base, ...expected],
  );
});
