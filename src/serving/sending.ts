import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createFetcher } from '../exchange/demand/outbound/fetcher.ts';
import { createIdentity } from '../identity/identity.ts';
import { createWorker } from '../jobs/worker.ts';
import { writeAlertMessage } from '../management/alerts/alert-message.ts';
import { writeInvitation } from '../management/auth/invitation-mail.ts';
import { writeLoginNotice } from '../management/auth/login-notice.ts';
import { writeDealMessage } from '../management/deals/deal-message.ts';
import { failureNotice, isFinalFault, writeReportFailure } from '../management/statistics/report-failure.ts';
import { askSavedReport } from '../management/statistics/saved-report.ts';
import { createMailer, withBounds } from '../sending/mail.ts';
import { planSendings, sendings } from '../sending/sending.ts';
import { createWebhook } from '../sending/webhook.ts';
import type { Message, SendMessage } from '../shared/message.ts';
import type { TimedWork } from '../shared/timed-work.ts';
import type { RetentionDays } from '../statistics/forgetting.ts';
import type { Store } from '../store/interface.ts';
import type { SenderKind, Sending } from '../store/sending/interface.ts';

export type SendingConfig = Pick<Config, 'allowPrivateDemand' | 'mailFrom' | 'smtpUrl'>;

export interface SendingStart {
  readonly config: SendingConfig;
  readonly store: Store;
  readonly now: () => number;
  readonly keptDays: RetentionDays;
  /** Its host is in message IDs, and links lead there. */
  readonly baseUrl: () => string;
  readonly logger: Pick<Logger, 'warn'>;
}

const answerBytesMax = 64 * 1024;

const noMail: SendMessage = async () => ({ error: 'this server sends no mail: BOURSE_SMTP_URL is not set' });

function createChannels({ config, baseUrl }: SendingStart) {
  const host = () => new URL(baseUrl()).hostname;
  const fetcher = createFetcher({
    allowPrivate: config.allowPrivateDemand,
    answerBytesMax,
    callsPerOriginMax: 16,
  });
  const { smtpUrl, mailFrom: from } = config;
  const mailer =
    smtpUrl !== undefined && from !== undefined
      ? createMailer({ smtpUrl: withBounds(smtpUrl), from, host })
      : undefined;
  const close = async () => {
    mailer?.close();
    await fetcher.close();
  };
  return { channels: { mail: mailer?.send ?? noMail, webhook: createWebhook(fetcher, host) }, close };
}

/** Due reports and alerts, along with other processes that do the same. */
export function createSending(options: SendingStart): TimedWork {
  const { store, now, logger, baseUrl: consoleUrl } = options;
  const { channels, close } = createChannels(options);
  const makers: Readonly<Record<SenderKind, (sending: Sending) => Promise<Message>>> = {
    Report: (sending) => askSavedReport({ ...options, consoleUrl }, sending),
    ReportFailure: (sending) => writeReportFailure({ store, consoleUrl }, sending),
    User: (sending) => writeLoginNotice({ store, consoleUrl }, sending),
    Invitation: (sending) =>
      writeInvitation({ store, identity: createIdentity({ store, now }), consoleUrl }, sending),
    Alert: (sending) => writeAlertMessage({ store, now, consoleUrl }, sending),
    Deal: (sending) => writeDealMessage({ store, now, consoleUrl }, sending),
  };
  const kind = sendings({
    store,
    now,
    channels,
    isFinal: isFinalFault,
    noticeOf: (failed) => failureNotice({ store }, failed),
    makeMessage: (sending) => makers[sending.entity](sending),
  });
  return createWorker([kind], {
    jobs: store.jobs,
    now,
    prepare: () => planSendings(store.sending, now),
    end: close,
    onFault: (error) =>
      logger.warn({ err: error }, 'due messages could not be sent; they will be sent later'),
  });
}
