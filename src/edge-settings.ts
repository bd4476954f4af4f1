import { matching, oneTo, setting } from './setting-readers.ts';

export const edgeSettings = {
  edgeKey: setting<string | undefined>({
    name: 'BOURSE_EDGE_KEY',
    type: 'text',
    standard: '(none; needed with --edge)',
    help: 'With --edge: the key of this edge, which `bourse edge add` printed at its home',
    wants: 'must be a key that `bourse edge add` printed at the home',
    secret: true,
    read: matching(/^[\w-]{43}$/),
  }),
  edgeFolder: setting<string>({
    name: 'BOURSE_EDGE_FOLDER',
    type: 'path',
    standard: './data/edge',
    help: 'With --edge: folder of this machine, and of this edge alone, where it keeps what it knows of its home',
    wants: 'must be the path of a folder, as ./data/edge',
    read: matching(/^[^\0]+$/),
  }),
  edgeMaxAge: setting<number>({
    name: 'BOURSE_EDGE_MAX_AGE',
    type: 'minutes',
    standard: '1440',
    help: 'With --edge: how old what an edge knows may be; while its home is away for longer, it refuses auctions',
    wants: 'must be whole minutes, from 1 to 525600',
    read: oneTo(525_600),
  }),
};
