import { readVendorList } from '../../protocols/consent/vendor-list.ts';
import type { VendorListResult, VendorListSubject } from '../vendor-lists.ts';
import { createTextReader, type PublishedTextOptions } from './published-text.ts';

/** Of the IAB ("Global Vendor List and TCF Policies", TCF). */
export const vendorListUrl = 'https://vendor-list.consensu.org/v3/';

/** Today's list has two million. */
export const vendorListBytesMax = 10 * 1024 * 1024;

export interface VendorListReaderOptions extends Omit<PublishedTextOptions, 'bytesMax'> {
  /** Ends in a slash. */
  readonly url: string;
}

/** Reads one list, from the host or from a file. Never rejects. */
export function createVendorListReader({ url, ...options }: VendorListReaderOptions) {
  const readText = createTextReader({ ...options, bytesMax: vendorListBytesMax });
  return async (subject: VendorListSubject): Promise<VendorListResult> => {
    const [, kind, about = ''] = subject.split('\t');
    const name = kind === 'version' ? `archives/vendor-list-v${about}.json` : 'vendor-list.json';
    const found = await readText(kind === 'file' ? { path: about } : { url: url + name }, readVendorList);
    return 'fault' in found ? { subject, ...found } : { subject, list: found.value };
  };
}
