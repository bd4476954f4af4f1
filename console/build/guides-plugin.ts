import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { readGuide } from './read-guide.ts';

const id = 'virtual:guides';
const folder = join(import.meta.dirname, '..', '..', 'docs', 'guide');

/** Gives the browser the guides of `docs/guide` as plain data: no Markdown is read there, and no text becomes markup. */
export const guidePages: Plugin = {
  name: 'guide-pages',
  resolveId: (source) => (source === id ? `\0${id}` : undefined),
  load(source) {
    if (source !== `\0${id}`) return;
    const files = globSync('*.md', { cwd: folder });
    for (const file of files) this.addWatchFile(join(folder, file));
    const guides = files.map((file) => readGuide(file, readFileSync(join(folder, file), 'utf8')));
    return `export const guides = ${JSON.stringify(guides)};`;
  },
};
