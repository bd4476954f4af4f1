import { type Config, readConfig } from '../config.ts';

/** From the environment; warnings go to stderr. Throws as `readConfig` does. */
export function configuration(): Config {
  const { config, warnings } = readConfig(process.env);
  for (const warning of warnings) console.error(`Warning: ${warning}`);
  return config;
}
