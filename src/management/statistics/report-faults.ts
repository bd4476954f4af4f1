import type { Fault } from '../../fields/fault.ts';
import type { Values } from '../../store/interface.ts';
import { questionFaults, type SentReport } from './report-question.ts';

type SavedReport = SentReport & {
  readonly PivotBy?: string;
  readonly Schedule?: number;
  readonly Mails?: readonly string[];
  readonly WebhookUrl?: string;
};

function* ownFaults({ GroupBy = [], PivotBy = '', Schedule = 0, Mails = [], WebhookUrl = '' }: SavedReport) {
  if (PivotBy !== '' && !GroupBy.some((name) => name === PivotBy)) {
    const known = GroupBy.length > 0 ? `must be a name of GroupBy: ${GroupBy.join(', ')}` : 'needs a GroupBy';
    yield { Path: 'PivotBy', Code: 'out_of_range', Message: known } as const;
  }
  if (Schedule !== 0 && Mails.length === 0 && WebhookUrl === '') {
    const Message = 'needs a destination: Mails or a WebhookUrl; or send 0 for a report that is not sent';
    yield { Path: 'Schedule', Code: 'contradiction', Message } as const;
  }
}

/** Its question, and how it is shown and sent. */
export function reportFaults(values: Values): readonly Fault[] {
  // The schema refuses what is missing here.
  const saved = { Measures: [], ...values } as unknown as SavedReport;
  const known = ({ Path }: Fault) => Object.hasOwn(values, Path.split(/[.[]/, 1)[0] ?? '');
  return [...questionFaults(saved), ...ownFaults(saved)].filter(known);
}
