import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** A package in the form of the other licences. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly [member: string]: string;
  };
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  return `\n## ${name} - ${version} (${license})\n${text}`;
}

/**
 * Names what workers are made of in the file of licences: they are bundles of their own, of which that of the pages knows
 * nothing.
 */
export function workerLicences(fileName: string): { readonly ofWorkers: Plugin; readonly ofPages: Plugin } {
  const folders = new Set<string>();
  return {
    ofWorkers: {
      name: 'packages-of-workers',
      generateBundle(_, bundle) {
        for (const part of Object.values(bundle)) {
          if (part.type !== 'chunk') continue;
          for (const id of part.moduleIds)
            for (const folder of packageFolder.exec(id) ?? []) folders.add(folder);
        }
      },
    },
    ofPages: {
      name: 'licences-of-workers',
      generateBundle: {
        order: 'post',
        handler(_, bundle) {
          const { [fileName]: file } = bundle;
          if (file?.type !== 'asset') throw new Error(`there is no ${fileName}`);
          const named = String(file.source);
          const others = [...folders]
            .map(licenceOf)
            .filter((text) => !named.includes(text.split('\n')[1] ?? ''));
          file.source = named + others.join('');
        },
      },
    },
  };
}
