import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { fieldTables } from './build/field-tables-plugin.ts';
import { guidePages } from './build/guides-plugin.ts';
import { workerLicences } from './build/worker-licences.ts';

const server = process.env.BOURSE_URL ?? 'http://127.0.0.1:8080';
const ofServer = ['/api', '/docs', '/demo', '/vast', '/banner', '/pop', '/direct', '/rtb', '/track'];

const readVersion = (): string => {
  const text = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
};

/** Few and large: each answer costs half a kilobyte of headers. The first that has a module keeps it. */
const chunks = [
  // All that the page of ads shares with the console: it has an origin of its own, and loads nothing else of it.
  { name: 'both', test: /preload-helper|console\/api\/values/, priority: 2 },
  // What login and overview need.
  {
    name: 'first',
    tags: ['$initial' as const],
    test: /^(?!.*(\.html$|console\/player\/|vast-client))/,
    priority: 1,
  },
  // What most other screens need.
  { name: 'screens', minShareCount: 8 },
];

const licenceFile = 'licenses.md';
const licences = workerLicences(licenceFile);

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), fieldTables, guidePages, licences.ofPages],
  worker: { plugins: () => [licences.ofWorkers] },
  define: { 'import.meta.env.VITE_BOURSE_VERSION': JSON.stringify(readVersion()) },
  html: { cspNonce: 'BOURSE-NONCE' },
  build: {
    assetsDir: 'console/assets',
    modulePreload: { polyfill: false },
    // What the bundle is made of has to be named with it.
    license: { fileName: licenceFile },
    target: 'es2023',
    // The first that know light-dark(); what would stand for it knows nothing of the scheme that is chosen.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      input: ['index.html', 'player.html'].map((name) => resolve(import.meta.dirname, name)),
      output: { codeSplitting: { groups: chunks } },
    },
    emptyOutDir: true,
    reportCompressedSize: false,
  },
  // Hot reload for who works on the console: the API is that of a Bourse that runs beside it.
  server: {
    proxy: Object.fromEntries(ofServer.map((path) => [path, { target: server, changeOrigin: false }])),
  },
});
