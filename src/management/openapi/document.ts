import { readFileSync } from 'node:fs';
import type { Entity } from '../../entities/entity.ts';
import { entities, entityOf } from '../../entities/registry.ts';
import type { Links } from '../present.ts';
import { authDocumentation } from './auth-operations.ts';
import { configDocumentation, configSchemas } from './config-operations.ts';
import { entityDocumentation } from './entity-operations.ts';
import { entitySchemas, storedAnswers } from './entity-schemas.ts';
import { exchangeDocumentation, exchangeSchemas } from './exchange-operations.ts';
import { failureComponents, failureSchema } from './failures.ts';
import { headerComponents } from './headers.ts';
import { changeSchema, historyDocumentation } from './history-operations.ts';
import type { Json } from './json.ts';
import { pathsOf } from './operation.ts';
import { referenceDocumentation } from './reference-operations.ts';
import { serviceDocumentation } from './service-operations.ts';
import { statisticsDocumentation } from './statistics-operations.ts';

const packageFile = new URL('../../../package.json', import.meta.url);

const introduction = `The management interface of an advertising exchange: publishers and what they offer,
advertisers and what they buy, and the connections between them.

Log in by \`POST /api/auth/login\`, and send the token with every call: \`Authorization: Bearer <token>\`.

- Bodies of POSTs are JSON objects with exactly one key, which names the kind of object.
- A POST that succeeds answers \`{ "Status": "Ok", "<key>": { … } }\`; a fetch answers the bare object or array.
- A call that fails answers \`{ "Status": "Error", "Error": "…", "Errors": [ … ] }\`, with every fault and its path.
- Flags are 0 or 1. A limit of 0 is no limit, unless the field says otherwise. Types are strict; \`null\` is refused.
- An unknown path is answered with 404, a known one under another method with 405.
- Operations marked \`x-extension\` go beyond the specification that this interface follows.`;

function objectsOf(entity: Entity): string {
  const { title, path, wrapper, owner } = entity;
  const belongs = owner ? ` Each belongs to one ${entityOf(owner.entity).title}.` : '';
  return `${title}s, under \`/api/${path}\`. Their key in bodies is \`${wrapper}\`.${belongs}`;
}

function tags(): Json[] {
  return [
    { name: 'Authentication', description: 'Access tokens, API keys, and the user that a token belongs to.' },
    ...entities.map((entity) => ({ name: entity.title, description: objectsOf(entity) })),
    {
      name: 'Statistics',
      description: 'What publishers and advertisers fetch by the URLs in their objects.',
    },
    { name: 'Exchange', description: 'What the exchange serves, and why.' },
    { name: 'History', description: 'Who changed what, and when.' },
    { name: 'Configuration as code', description: "A team's whole configuration as one document." },
    { name: 'Reference data', description: 'Codes and names that fields take.' },
    { name: 'Service', description: 'What the server tells of itself.' },
  ];
}

/** The OpenAPI 3.1 document of this installation's management API, made from the tables that the server runs on. */
export function openApiDocument(links: Links): Json {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bourse management API',
      version,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: links.baseUrl, description: 'This installation' }],
    security: [{ Bearer: [] }],
    tags: tags(),
    paths: pathsOf([
      ...authDocumentation(),
      ...entityDocumentation(links),
      ...statisticsDocumentation,
      ...exchangeDocumentation,
      ...historyDocumentation,
      ...configDocumentation,
      ...referenceDocumentation(links),
      ...serviceDocumentation,
    ]),
    components: {
      securitySchemes: {
        Bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or an API key' },
      },
      schemas: {
        Failure: failureSchema,
        Change: changeSchema,
        ...exchangeSchemas,
        ...entitySchemas(),
        ...configSchemas(),
      },
      headers: headerComponents,
      responses: { ...failureComponents(), ...storedAnswers(links) },
    },
  };
}
