import {
  listFile,
  newestList,
  type VendorListResult,
  type VendorListSubject,
} from '../exchange/vendor-lists.ts';
import { createPublishedHost, type HostOptions } from './published-host.ts';

/** As threads hold. */
const listsMax = 32;
/** Whoever sends strings that name many versions makes us fetch no more. */
const versionsHourly = 6;
const hourMs = 3_600_000;

export function createVendorListHost(options: HostOptions<VendorListSubject>) {
  /** By version. */
  const found = new Map<number, VendorListResult>();
  let fetchedAtMs: readonly number[] = [];
  return createPublishedHost<VendorListSubject, VendorListResult>(options, {
    setting: 'BOURSE_GVL_FILE',
    filesMax: listsMax,
    fileSubject: listFile,
    mayFetch(subject) {
      if (subject === newestList) return true;
      const nowMs = options.now();
      fetchedAtMs = fetchedAtMs.filter((atMs) => atMs > nowMs - hourMs);
      if (fetchedAtMs.length >= versionsHourly) return false;
      fetchedAtMs = [...fetchedAtMs, nowMs];
      return true;
    },
    unknown:
      'no Global Vendor List is known: of the TCF only consent counts, and no legitimate interest; let this server reach vendor-list.consensu.org, or set BOURSE_GVL_FILE',
    stays: 'a Global Vendor List could not be read; the last good one stays',
    wasRead: 'a Global Vendor List was read',
    keep(result) {
      const { version, vendors } = result.list;
      found.set(version, result);
      if (found.size > listsMax) found.delete(Math.min(...found.keys()));
      return { version, vendors };
    },
    kept: () => [...found.values()],
  });
}
