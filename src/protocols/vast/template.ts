/** A text in parts: between them goes a token, the same at every place. A text without a token is one part. */
export type Template = readonly string[];

/** Puts a template behind another. */
export function append(parts: string[], [first = '', ...rest]: Template): void {
  parts.push(`${parts.pop() ?? ''}${first}`, ...rest);
}

/** One template around another. */
export function around(open: string, inner: Template, close: string): Template {
  const parts = [open];
  append(parts, inner);
  append(parts, [close]);
  return parts;
}

/** One template behind the other. */
export function joined(templates: readonly Template[]): Template {
  const parts: string[] = [];
  for (const template of templates) append(parts, template);
  return parts;
}
