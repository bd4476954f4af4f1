import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import { urlAt } from '../serving/reachable-url.ts';

/** As reached from this machine. */
export function serverUrl({ baseUrl, host, port }: Config): string {
  return baseUrl ?? urlAt(host, port);
}

export const apiUrl = (config: Config): string => config.consoleUrl ?? serverUrl(config);

/** Without a final slash, so that paths can follow. */
function readServerUrl(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '');
  }
  throw new InvalidArgumentError('must be an http or https URL, like http://localhost:8080');
}

export function withServerOption(command: Command): Command {
  const help = "the server's address, like http://localhost:8080 (default: from the settings)";
  return command.option('--server <url>', help, readServerUrl);
}
