import { createTheme, Modal } from '@mantine/core';

/** One accent, one scale of spaces, figures of one width. */
export const theme = createTheme({
  primaryColor: 'indigo',
  // The lightest on which white text can be read (WCAG 2.2, 1.4.3).
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '600' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: Modal.extend({
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        // The head of a page is one, and a dialog's is none.
        attributes: { header: { role: 'presentation' } },
      },
    }),
  },
});
