/** A text in parts: between them goes a token, the same at every place. A text without a token is one part. */
export type Template = readonly string[];

/** Puts a template behind another. */
export function append(parts: string[], template: Template): void {
  const last = Math.max(0, parts.length - 1);
  parts[last] = `${parts[last] ?? ''}${template[0] ?? ''}`;
  for (let index = 1; index < template.length; index += 1) parts.push(template[index] ?? '');
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
