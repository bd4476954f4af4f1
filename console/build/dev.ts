import { join } from 'node:path';
import { createServer } from 'vite';

/** Serves the console from its sources, with hot reload; the API is that of the Bourse at `BOURSE_URL`. */
const server = await createServer({ configFile: join(import.meta.dirname, '..', 'vite.config.ts') });
await server.listen();
server.printUrls();
