/** Keys that do something, for the list of them. */
export const keys = [
  { keys: ['Ctrl', 'K'], does: 'Search, or jump to a screen, an action or a field' },
  { keys: ['/'], does: 'The same, outside text fields' },
  { keys: ['Ctrl', 'S'], does: 'Save changes' },
  { keys: ['Ctrl', 'Z'], does: 'Undo what was just switched, outside text fields' },
  { keys: ['Esc'], does: 'Close what is open on top of the screen' },
  { keys: ['Tab'], does: 'Go to the next control; with Shift, to the previous one' },
  { keys: ['Space'], does: 'Press a button, flip a switch, tick a box' },
  { keys: ['?'], does: 'Show this list' },
] as const;
