import type { PartnerTracker } from '../../../src/answers/test-result.ts';
import type { ApiRequest } from '../../api/call.ts';
import type { ShownEntity } from '../../field-tables.ts';
import type { AskedRequest } from '../why/explanation.ts';

/** Asks for an auction that counts nothing, of a request or of the last that was seen; answers a `TestResult`. */
export const testRequest = (entity: ShownEntity, Id: number, Request?: AskedRequest) =>
  ({
    path: 'api/exchange/test/run',
    body: { Entity: entity.key, Id, ...(Request && { Request }) },
  }) satisfies ApiRequest;

/** Asks for a `TestUrl`. */
export const testUrlRequest = (entity: ShownEntity, Id: number) =>
  ({
    path: 'api/exchange/test',
    body: { Entity: entity.key, Id },
  }) satisfies ApiRequest;

/** Has a partner's tracker called for real; answers what was `Fired`. */
export const fireRequest = ({ DormantUrl }: PartnerTracker) =>
  ({
    path: 'api/exchange/test/fire',
    body: { Url: DormantUrl },
  }) satisfies ApiRequest;
