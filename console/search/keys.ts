/** Keys that do something, for the list of them. */
export const keys = [
  { keys: ['Ctrl', 'K'], does: 'Search, or jump to a screen, an action or a field' },
  { keys: ['/'], does: 'The same, where no text is typed' },
  { keys: ['Ctrl', 'S'], does: 'Save what is changed' },
  { keys: ['Esc'], does: 'Close what is open above the screen' },
  { keys: ['Tab'], does: 'Go to the next control; with Shift to the one before' },
  { keys: ['Space'], does: 'Press a button, turn a switch, tick a box' },
  { keys: ['?'], does: 'Show this list' },
] as const;
