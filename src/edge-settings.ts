import { matching, oneTo, setting } from './setting-readers.ts';

export const edgeSettings = {
  edgeKey: setting<string | undefined>({
    name: 'BOURSE_EDGE_KEY',
    type: 'text',
    standard: '(none; needed with --edge)',
    help: 'With --edge: the key of this edge, printed by `bourse edge add` at its home',
    wants: 'must be a key printed by `bourse edge add` at the home',
    secret: true,
    read: matching(/^[\w-]{43}$/),
  }),
  edgeFolder: setting<string>({
    name: 'BOURSE_EDGE_FOLDER',
    type: 'path',
    standard: './data/edge',
    help: 'With --edge: folder on this machine, used by this edge alone, where it keeps what it knows about its home',
    wants: 'must be the path of a folder, like ./data/edge',
    read: matching(/^[^\0]+$/),
  }),
  edgeMaxAge: setting<number>({
    name: 'BOURSE_EDGE_MAX_AGE',
    type: 'minutes',
    standard: '1440',
    help: 'With --edge: how long an edge goes on without its home; if it has not heard from it for longer, it refuses auctions',
    wants: 'must be a whole number of minutes from 1 to 525600',
    read: oneTo(525_600),
  }),
};
