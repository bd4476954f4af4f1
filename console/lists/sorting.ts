/** What a click on a column's head asks for: the greatest first, the least first, then no order. */
export function nextSort(name: string, sort: string | undefined): string | undefined {
  if (sort === `-${name}`) return name;
  return sort === name ? undefined : `-${name}`;
}
