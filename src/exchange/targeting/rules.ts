import { adTypes } from './ad-types.ts';
import { adsTxtUnavailable, adsTxtViolation, appAdsTxtUnavailable, appAdsTxtViolation } from './ads-txt.ts';
import { appBundle } from './app-bundle.ts';
import { browser } from './browser.ts';
import { country } from './country.ts';
import { deviceType } from './device-type.ts';
import { domain } from './domain.ts';
import { environment } from './environment.ts';
import { endDate, endTime, startDate, startTime } from './flight.ts';
import { hours } from './hours.ts';
import { iabCategory } from './iab-category.ts';
import { dataCentre, invalidAddress, ipBlacklist } from './ip-blacklist.ts';
import { ipV6 } from './ip-v6.ts';
import { keyword } from './keyword.ts';
import { appLive, siteLive } from './live.ts';
import { maxBidfloor } from './max-bidfloor.ts';
import { maxIvt } from './max-ivt.ts';
import { media } from './media.ts';
import { minBidfloor } from './min-bidfloor.ts';
import { minTmax } from './min-tmax.ts';
import { os } from './os.ts';
import { pubId } from './pub-id.ts';
import type { IndexedRule, Rule } from './rule.ts';
import { completeSchain, maxSchainNodes, schain, schainLoop } from './schain.ts';
import { sellersJsonUnavailable, sellersJsonViolation } from './sellers-json.ts';
import { size } from './size.ts';
import { subId } from './sub-id.ts';

/** In the order of explanations: as the index asks, form by form. */
export const demandRules: readonly IndexedRule[] = [
  media, environment, country, os, browser, deviceType, iabCategory, size, pubId, ipV6, completeSchain, siteLive, appLive,
  startDate, endDate, maxBidfloor, minTmax, maxIvt, maxSchainNodes, hours,
  domain, appBundle, ipBlacklist, invalidAddress, dataCentre,
]; // biome-ignore format: a list of names

/** Buyers and supply are found otherwise. */
export const dealRules: readonly IndexedRule[] = [
  adTypes, environment, country, os, browser, deviceType, iabCategory, size, pubId, startTime, endTime, hours,
  domain, appBundle,
]; // biome-ignore format: a list of names

/** Supply and bids are looked at otherwise. */
export const floorRules: readonly IndexedRule[] = [
  adTypes, country, os, browser, deviceType, iabCategory, size, hours, domain,
]; // biome-ignore format: a list of names

/** Categories describe and filter nothing. */
export const supplyRules: readonly Rule[] = [
  media, environment, country, os, browser, deviceType, size, pubId, subId, ipV6,
  minBidfloor, maxBidfloor, domain, appBundle, ipBlacklist, invalidAddress, dataCentre, keyword, maxIvt,
  schain, completeSchain, maxSchainNodes, schainLoop, siteLive, appLive,
  adsTxtUnavailable, adsTxtViolation, appAdsTxtUnavailable, appAdsTxtViolation,
  sellersJsonUnavailable, sellersJsonViolation,
]; // biome-ignore format: a list of names
