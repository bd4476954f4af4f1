import type { AuthorityRoom } from './authority-contract.ts';
import { authorityContract } from './authority-contract.ts';
import { createMemoryAuthority } from './model.ts';

const startMs = Date.UTC(2026, 10, 24);

/** The model itself: what is asked of every authority holds for it, too. */
async function openModel(): Promise<AuthorityRoom> {
  let nowMs = startMs;
  const authority = createMemoryAuthority({ now: () => nowMs });
  return {
    authority: () => authority,
    now: () => nowMs,
    pass: (ms) => {
      nowMs += ms;
    },
    restart: async () => undefined,
    failOver: async () => authority.failOver(),
    loseAll: async () => authority.loseAll(),
    close: () => authority.close(),
  };
}

authorityContract('an authority in memory', openModel, 300);
