const words: Readonly<Record<string, string>> = {
  add: 'added',
  update: 'changed',
  activate: 'activated',
  deactivate: 'deactivated',
  connect: 'connected',
  revoke: 'ended',
  rotate: 'replaced a credential',
};

/** What an operation of the history has done to an object. */
export const written = (operation: string): string => words[operation] ?? operation;
