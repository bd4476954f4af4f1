import { entities } from '../entities/registry.ts';
import { account } from './auth/account.ts';
import { addApiKey, getApiKeys, postApiKeys, revokeApiKey } from './auth/api-keys.ts';
import { login, logout, refresh } from './auth/sessions.ts';
import { applyConfig, exportConfig, planConfig } from './config/config-endpoints.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { lastAuctions } from './exchange/auctions.ts';
import { explainRequest } from './exchange/explain.ts';
import { exchangeStatus } from './exchange/status.ts';
import { fireTracker, makeTestUrl, runTest } from './exchange/test-endpoints.ts';
import { getHistory } from './history/get-history.ts';
import { referenceEndpoints } from './info/list-reference.ts';
import { openApi } from './openapi/document-endpoint.ts';
import { add } from './operations/add.ts';
import { get } from './operations/get.ts';
import { hasSecrets, rotate } from './operations/rotate.ts';
import { activate, deactivate } from './operations/set-status.ts';
import { update } from './operations/update.ts';
import { health, metricsEndpoint, readiness } from './service/service-endpoints.ts';
import { reportEndpoints } from './statistics/report-endpoint.ts';

/** Every endpoint of the management API, in the order of the document. */
export const endpoints: readonly Endpoint[] = [
  login,
  refresh,
  logout,
  account,
  addApiKey,
  getApiKeys,
  postApiKeys,
  revokeApiKey,
  ...entities.flatMap((entity) => [
    ...[add, update, activate, deactivate].map((make) => make(entity)),
    ...(hasSecrets(entity) ? [rotate(entity)] : []),
    get(entity),
  ]),
  ...reportEndpoints,
  exchangeStatus,
  lastAuctions,
  explainRequest,
  makeTestUrl,
  runTest,
  fireTracker,
  getHistory,
  exportConfig,
  planConfig,
  applyConfig,
  ...referenceEndpoints,
  health,
  readiness,
  metricsEndpoint,
  openApi,
];
