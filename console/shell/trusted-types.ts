interface PolicyRules {
  readonly createHTML: (text: string) => string;
}

interface PolicyFactory {
  readonly createPolicy: (name: string, rules: PolicyRules) => unknown;
}

/**
 * The page's one policy for texts that become markup: style sheets, which hold no tag, and nothing else. So no text from
 * outside can ever become an element.
 */
export function allowStyleTexts(): void {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory };
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('texts never become markup here');
      return text;
    },
  });
}
