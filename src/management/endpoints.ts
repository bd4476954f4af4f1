import { entities } from '../entities/registry.ts';
import { acknowledgeAlert } from './alerts/acknowledge.ts';
import { alertLog } from './alerts/alert-log.ts';
import { account } from './auth/account.ts';
import { addApiKey, getApiKeys, postApiKeys, revokeApiKey } from './auth/api-keys.ts';
import { addDownload } from './auth/download.ts';
import { inviteUser, resetLink } from './auth/invitations.ts';
import { openSession } from './auth/open-session.ts';
import { endSession, getSessions } from './auth/open-sessions.ts';
import { acceptLink, changePassword } from './auth/password.ts';
import { login, logout, refresh } from './auth/sessions.ts';
import { getTeam, updateTeam } from './auth/team.ts';
import { beginTotp, confirmTotp, removeTotp } from './auth/totp.ts';
import { updateUser, userChanges } from './auth/user-changes.ts';
import { getUsers } from './auth/users.ts';
import { batch } from './batch/batch.ts';
import { applyConfig, exportConfig, planConfig } from './config/config-endpoints.ts';
import { pushDeal } from './deals/push-deal.ts';
import { getDemonstration, startDemonstration } from './demonstration/demonstration-endpoints.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { lastAuctions } from './exchange/auctions.ts';
import { readConsent } from './exchange/consent.ts';
import { explainRequest } from './exchange/explain.ts';
import { exchangeStatus } from './exchange/status.ts';
import { fireTracker, makeTestUrl, runTest } from './exchange/test-endpoints.ts';
import { getHistory } from './history/get-history.ts';
import { referenceEndpoints } from './info/list-reference.ts';
import { myReportEndpoints } from './me/my-reports.ts';
import { openApi } from './openapi/document-endpoint.ts';
import { add } from './operations/add.ts';
import { connected } from './operations/connected.ts';
import { get } from './operations/get.ts';
import { hasSecrets, rotate } from './operations/rotate.ts';
import { activate, deactivate } from './operations/set-status.ts';
import { update } from './operations/update.ts';
import { getAdsTxt, getOwnAdsTxt } from './portal/ads-txt.ts';
import { getIntegrations } from './portal/get-integrations.ts';
import { getOwn, isOwnable } from './portal/own-objects.ts';
import { search } from './search/search.ts';
import { sendingEndpoints } from './sendings.ts';
import { health, metricsEndpoint, readiness } from './service/service-endpoints.ts';
import { askReport } from './statistics/ask-report.ts';
import { askDrivers } from './statistics/drivers.ts';
import { getFloorRuleFigures } from './statistics/floor-rule-figures.ts';
import { getFloors } from './statistics/floors.ts';
import { listCombinations } from './statistics/list-combinations.ts';
import { listHealth } from './statistics/list-health.ts';
import { liveFigures } from './statistics/live-figures.ts';
import { getFigures } from './statistics/object-figures.ts';
import { getHealth } from './statistics/object-health.ts';
import { figuresOverview } from './statistics/overview.ts';
import { getPace } from './statistics/pace.ts';
import { getPairFigures } from './statistics/pair-figures.ts';
import { fetchPartnerFigures, getPartnerFigures } from './statistics/partner-figures.ts';
import { getPartnerHistory } from './statistics/partner-history.ts';
import { statisticsUrlEndpoints } from './statistics/statistics-url-endpoints.ts';

/** In the order of the document. */
export const endpoints: readonly Endpoint[] = [
  login,
  refresh,
  logout,
  openSession,
  changePassword,
  acceptLink,
  beginTotp,
  confirmTotp,
  removeTotp,
  addDownload,
  account,
  addApiKey,
  getApiKeys,
  postApiKeys,
  revokeApiKey,
  getUsers,
  inviteUser,
  updateUser,
  ...userChanges,
  resetLink,
  getSessions,
  endSession,
  getTeam,
  updateTeam,
  ...entities.flatMap((entity) => [
    ...[add, update, activate, deactivate].map((make) => make(entity)),
    ...(hasSecrets(entity) ? [rotate(entity)] : []),
    get(entity),
    ...connected(entity),
  ]),
  ...entities.filter(isOwnable).map(getOwn),
  getIntegrations,
  pushDeal,
  getOwnAdsTxt,
  getAdsTxt,
  ...myReportEndpoints,
  batch,
  ...statisticsUrlEndpoints,
  askReport,
  listCombinations,
  askDrivers,
  ...sendingEndpoints,
  alertLog,
  acknowledgeAlert,
  getPartnerFigures,
  getPartnerHistory,
  fetchPartnerFigures,
  liveFigures,
  getHealth,
  listHealth,
  getFigures,
  figuresOverview,
  getPairFigures,
  getPace,
  getFloors,
  getFloorRuleFigures,
  exchangeStatus,
  lastAuctions,
  explainRequest,
  readConsent,
  search,
  makeTestUrl,
  runTest,
  fireTracker,
  getHistory,
  exportConfig,
  planConfig,
  applyConfig,
  startDemonstration,
  getDemonstration,
  ...referenceEndpoints,
  health,
  readiness,
  metricsEndpoint,
  openApi,
];
