interface PolicyRules {
  readonly createHTML: (text: string) => string;
  readonly createScriptURL: (url: string) => string;
}

interface PolicyFactory {
  readonly createPolicy: (name: string, rules: PolicyRules) => unknown;
}

/** Where the console's own scripts lie, its workers among them. */
const scripts = new URL('console/assets/', document.baseURI).href;

/**
 * The page's one policy for texts that become markup: style sheets, which hold no tag, and nothing else. So no text from
 * outside can ever become an element. Addresses become workers where the console's own scripts lie, and nowhere else.
 */
export function allowStyleTexts(): void {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory };
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('texts never become markup here');
      return text;
    },
    createScriptURL(url) {
      const { href } = new URL(url, document.baseURI);
      if (!href.startsWith(scripts)) throw new TypeError('scripts come from the console itself');
      return href;
    },
  });
}
