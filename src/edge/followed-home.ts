import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createAnswerWriter } from './answer-writer.ts';
import { type ConfigurationCopy, readConfigurationCopy } from './configuration-copy.ts';
import { diskFaultOf, lockEdgeFolder, openEdgeDatabase } from './edge-database.ts';
import { type Follower, followHome } from './follower.ts';
import type { HomeClient } from './home-client.ts';

export interface FollowedHomeOptions {
  readonly config: Pick<Config, 'edgeFolder'>;
  readonly home: string;
  readonly client: HomeClient;
  /** The first thread follows, the others read its copy. */
  readonly number: number;
  readonly logger: Logger;
  /** Called for a new copy. */
  readonly onNews: () => void;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** As one thread reads it. */
export interface FollowedHome {
  readonly kept: ConfigurationCopy;
  close(): Promise<void>;
}

/** Resolves once there is a copy. Rejects with a `ConfigurationError` if the folder is unusable or the home refuses. */
export async function startFollowingHome(options: FollowedHomeOptions): Promise<FollowedHome> {
  const { config, home, client, number, logger, onNews, now, signal } = options;
  const folder = config.edgeFolder;
  if (number > 0) {
    const copy = readConfigurationCopy(openEdgeDatabase(folder));
    return { kept: copy, close: async () => copy.close() };
  }
  const release = lockEdgeFolder(folder, (aside) =>
    logger.error(
      { aside },
      "the copy of the home's configuration on this edge is damaged; it is set aside and fetched again",
    ),
  );
  const database = openEdgeDatabase(folder);
  const copy = readConfigurationCopy(openEdgeDatabase(folder));
  let follower: Follower | undefined;
  const close = async () => {
    await follower?.close();
    copy.close();
    database.close();
    release();
  };
  try {
    follower = await followHome({
      url: home,
      client,
      kept: copy,
      keeper: createAnswerWriter(database),
      log: logger,
      onNews,
      now,
      signal,
      diskFault: (error) => diskFaultOf(folder, error),
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { kept: copy, close };
}
