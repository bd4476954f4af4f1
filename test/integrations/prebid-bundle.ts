import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** `dist/src` of Prebid's package: its sources, module by module, as others bundle them. */
const sources = new URL('../', import.meta.resolve('prebid.js'));
const adapters = fileURLToPath(new URL('../../integrations/prebid-js/', import.meta.url));
const entryName = 'entry.js';

/** A script with Prebid.js and whatever else the code imports. The adapter stands where Prebid keeps its modules. */
export async function bundle(code: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: adapters,
    plugins: [
      {
        name: 'prebid',
        resolveId(name, importer) {
          if (name === entryName) return `${adapters}${entryName}`;
          if (!importer?.startsWith(adapters)) return undefined;
          const [, inside] = /^(?:\.\.\/)+((?:src|libraries)\/.*)$/.exec(name) ?? [];
          if (inside !== undefined) return fileURLToPath(new URL(inside, sources));
          const [, module] = /^modules\/(.*)$/.exec(name) ?? [];
          return module && `${adapters}${module}`;
        },
        load: (id) => (id === `${adapters}${entryName}` ? code : undefined),
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      rolldownOptions: { input: entryName, output: { format: 'iife' } },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const [chunk] = outputs.flatMap((one) => ('output' in one ? one.output : []));
  if (chunk?.type !== 'chunk') throw new Error('Vite made no script');
  return chunk.code;
}
