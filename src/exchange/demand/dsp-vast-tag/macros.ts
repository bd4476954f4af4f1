import { privacyUrlMacros } from '../privacy-values.ts';
import type { Macros } from '../url-template.ts';

const known = (value: number | undefined) => (value ? String(value) : '');
const coordinate = (value: number | undefined) => value?.toString() ?? '';

export const macros: Macros = {
  width: ({ opportunity }) => known(opportunity.width),
  height: ({ opportunity }) => known(opportunity.height),
  /** A cache buster only has to differ each time. */
  cb: ({ opportunity }) => opportunity.auctionId,
  ua: ({ opportunity }) => opportunity.userAgent,
  ip: ({ opportunity }) => opportunity.ip?.text ?? '',
  app_name: ({ opportunity }) => opportunity.inventory.appName,
  app_bundle: ({ opportunity }) => opportunity.inventory.appBundle,
  device_model: ({ opportunity }) => opportunity.device.model,
  device_make: ({ opportunity }) => opportunity.device.make,
  app_store_url: ({ opportunity }) => opportunity.inventory.appStoreUrl,
  country: ({ opportunity }) => opportunity.country,
  lat: ({ opportunity }) => coordinate(opportunity.latitude),
  lon: ({ opportunity }) => coordinate(opportunity.longitude),
  buyeruid: ({ opportunity }, demand) => opportunity.viewerIdsOf?.(demand)?.buyeruid ?? '',
  ...privacyUrlMacros,
};
