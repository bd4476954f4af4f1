import { type CSSVariablesResolver, createTheme } from '@mantine/core';

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
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        // The head of a page is one, and a dialog's is none.
        attributes: { header: { role: 'presentation' } },
      },
    },
  },
});

/** Colours of texts with a contrast of at least 4.5 (WCAG 1.4.3), also on what is under the pointer. */
export const textColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636b',
    '--mantine-color-placeholder': '#656c75',
    '--mantine-color-indigo-light-color': '#2f46b5',
    '--mantine-color-teal-text': '#087554',
    '--mantine-color-teal-light-color': '#06664a',
    '--mantine-color-orange-text': '#a84300',
    '--mantine-color-orange-light-color': '#933a00',
    '--mantine-color-red-text': '#c92a2a',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--mantine-color-anchor': '#91a7ff',
    '--mantine-color-dimmed': '#a3a6ab',
    '--mantine-color-placeholder': '#a3a6ab',
    '--mantine-color-red-text': '#ff8787',
    '--mantine-color-error': '#ff8787',
  },
});
