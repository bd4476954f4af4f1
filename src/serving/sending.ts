import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createFetcher } from '../exchange/demand/outbound/fetcher.ts';
import { askSavedReport } from '../management/statistics/saved-report.ts';
import { createMailer, withBounds } from '../sending/mail.ts';
import type { Send } from '../sending/parcel.ts';
import { sendReports } from '../sending/sending.ts';
import { createWebhook } from '../sending/webhook.ts';
import type { KeptDays } from '../statistics/forgetting.ts';
import type { Store } from '../store/interface.ts';

/** The part of the configuration that sending needs. */
export type SendingConfig = Pick<Config, 'allowPrivateDemand' | 'mailFrom' | 'smtpUrl'>;

/** What sending is started with. */
export interface SendingStart {
  readonly config: SendingConfig;
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly keptDays: KeptDays;
  /** Host by which this server is reached, for the IDs of what is sent. */
  readonly host: () => string;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Sends what is due. */
export interface ReportSending {
  /** Sends what is due now; of calls at a time, the first does it. Never rejects. */
  run(): Promise<void>;
  /** Begins to do so by itself, every quarter of a minute. */
  start(): void;
  /** Resolves when what is under way has ended, or was given up after some seconds: another process has it then. */
  close(): Promise<void>;
}

const everyMs = 15_000;
const closeMs = 5_000;
const answerBytesMax = 64 * 1024;

/** Why mail is not sent. */
const noMail: Send = async () => 'no mail is sent by this server: BOURSE_SMTP_URL is not set';

function createChannels({ config, host }: SendingStart) {
  const fetcher = createFetcher({
    ...{ allowPrivate: config.allowPrivateDemand, answerBytesMax, callsPerOriginMax: 16 },
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

/** Sends saved reports when they are due, beside other processes that do the same. */
export function createReportSending(options: SendingStart): ReportSending {
  const { store, now, logger } = options;
  const { channels, close } = createChannels(options);
  const closing = new AbortController();
  let underWay: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const send = () =>
    sendReports({
      ...{ store: store.sending, now, channels, signal: closing.signal },
      makeParcel: (sending) => askSavedReport(options, sending),
    }).catch((error: unknown) => logger.warn({ err: error }, 'reports could not be sent; they are later'));
  const run = () => {
    underWay ??= send().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  return {
    run,
    start() {
      timer = setInterval(run, everyMs).unref();
    },
    async close() {
      clearInterval(timer);
      closing.abort();
      const isLate = new AbortController();
      const late = delay(closeMs, undefined, { signal: isLate.signal }).catch(() => undefined);
      await Promise.race([Promise.all([underWay, close()]), late]);
      isLate.abort();
    },
  };
}
