import { entities } from '../entities/registry.ts';
import { account } from './auth/account.ts';
import { addApiKey } from './auth/add-api-key.ts';
import { getApiKeys, postApiKeys } from './auth/list-api-keys.ts';
import { login } from './auth/login.ts';
import { logout } from './auth/logout.ts';
import { refresh } from './auth/refresh.ts';
import { revokeApiKey } from './auth/revoke-api-key.ts';
import { applyConfig } from './config/apply-endpoint.ts';
import { exportConfig } from './config/export-endpoint.ts';
import { planConfig } from './config/plan-endpoint.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { lastAuctions } from './exchange/auctions.ts';
import { explainRequest } from './exchange/explain.ts';
import { exchangeStatus } from './exchange/status.ts';
import { getHistory } from './history/get-history.ts';
import { referenceEndpoints } from './info/list-reference.ts';
import { openApi } from './openapi/document-endpoint.ts';
import { entityOperations } from './operations/list.ts';
import { health } from './service/health.ts';
import { metricsEndpoint } from './service/metrics-endpoint.ts';
import { readiness } from './service/readiness.ts';
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
  ...entities.flatMap((entity) => entityOperations.map((operation) => operation(entity))),
  ...reportEndpoints,
  exchangeStatus,
  lastAuctions,
  explainRequest,
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
