import { registerHooks } from 'node:module';

/** Preloaded: sends this process SIGTERM as the module of that name is loaded. */
const end = process.env.TEST_KILL_AT ?? '';
registerHooks({
  load(url, context, next) {
    if (url.endsWith(end)) process.kill(process.pid, 'SIGTERM');
    return next(url, context);
  },
});
