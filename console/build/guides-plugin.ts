import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Picture } from '../help/guide.ts';
import { readGuide } from './read-guide.ts';

const id = 'virtual:guides';
const folder = join(import.meta.dirname, '..', '..', 'docs', 'guide');
const pictureFolder = join(folder, 'pictures');
const darkOf = (name: string) => name.replace(/\.png$/, '-dark.png');

/** Width and height of a PNG (its specification, 11.2.1). */
function sizeOf(name: string): Pick<Picture, 'width' | 'height'> {
  const bytes = readFileSync(join(pictureFolder, name));
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** An expression for where the built file of a picture is. */
const fileText = (name: string) =>
  `new URL(${JSON.stringify(join(pictureFolder, name))}, import.meta.url).href`;

function pictureText(name: string): string {
  const dark = existsSync(join(pictureFolder, darkOf(name))) ? `, dark: ${fileText(darkOf(name))}` : '';
  const { width, height } = sizeOf(name);
  return `${JSON.stringify(name)}: { light: ${fileText(name)}${dark}, width: ${width}, height: ${height} }`;
}

/**
 * Gives the browser the guides of `docs/guide` as plain data: no Markdown is read there, and no text becomes markup.
 * Their pictures become files of the console, which are loaded when they come into sight.
 */
export const guidePages: Plugin = {
  name: 'guide-pages',
  resolveId: (source) => (source === id ? `\0${id}` : undefined),
  load(source) {
    if (source !== `\0${id}`) return;
    const files = globSync('*.md', { cwd: folder });
    for (const file of files) this.addWatchFile(join(folder, file));
    const guides = files.map((file) => readGuide(file, readFileSync(join(folder, file), 'utf8')));
    const shown = guides.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.kind === 'picture' ? [block.name] : [])),
    );
    // One that was not taken yet is left out: the console has to be there for that.
    const taken = shown.filter((name) => existsSync(join(pictureFolder, name)));
    const pictures = [...new Set(taken)].map(pictureText);
    return `export const guides = ${JSON.stringify(guides)};
      export const pictures = { ${pictures.join(', ')} };`;
  },
};
