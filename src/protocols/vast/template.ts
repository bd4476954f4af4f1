/** Parts to be joined by a token, the same in every gap. One part = no token. */
export type Template = readonly string[];

export function append(parts: string[], template: Template): void {
  const last = Math.max(0, parts.length - 1);
  parts[last] = `${parts[last] ?? ''}${template[0] ?? ''}`;
  for (let index = 1; index < template.length; index += 1) parts.push(template[index] ?? '');
}

export function wrapped(open: string, inner: Template, close: string): Template {
  const parts = [open];
  append(parts, inner);
  append(parts, [close]);
  return parts;
}

export function joined(templates: readonly Template[]): Template {
  const parts: string[] = [];
  for (const template of templates) append(parts, template);
  return parts;
}
