import { readFile, stat } from 'node:fs/promises';
import { readVendorList } from '../../protocols/consent/vendor-list.ts';
import type { Fetcher } from '../demand/outbound/fetcher.ts';
import type { VendorListResult, VendorListSubject } from '../vendor-lists.ts';

/** Of the IAB ("Global Vendor List and TCF Policies", TCF). */
export const vendorListUrl = 'https://vendor-list.consensu.org/v3/';

/** Today's list has two million. */
export const vendorListBytesMax = 10 * 1024 * 1024;
const deadlineMs = 30_000;

export interface VendorListReaderOptions {
  readonly fetch: Fetcher['fetch'];
  readonly userAgent: string;
  /** Ends in a slash. */
  readonly url: string;
}

async function textIn(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > vendorListBytesMax) throw new Error(`it has more than ${vendorListBytesMax} bytes`);
  return readFile(path, 'utf8');
}

/** Reads one list, from the host or from a file. Never rejects. */
export function createVendorListReader({ fetch, userAgent, url }: VendorListReaderOptions) {
  const textAt = async (place: string): Promise<string> => {
    const request = { method: 'GET', url: place, headers: { 'user-agent': userAgent } } as const;
    const answer = await fetch(request, deadlineMs);
    if ('reason' in answer) throw new Error(answer.reason);
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    return answer.body;
  };
  return async (subject: VendorListSubject): Promise<VendorListResult> => {
    const [, kind, about = ''] = subject.split('\t');
    const name = kind === 'version' ? `archives/vendor-list-v${about}.json` : 'vendor-list.json';
    const place = kind === 'file' ? about : url + name;
    try {
      return { subject, list: readVendorList(await (kind === 'file' ? textIn : textAt)(place)) };
    } catch (error) {
      return { subject, fault: `${place}: ${error instanceof Error ? error.message : error}` };
    }
  };
}
