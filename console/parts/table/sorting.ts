/** What a click on a column's head asks for: the greatest first, the least first, then no order. */
export function nextSort(name: string, sort: string | undefined): string | undefined {
  if (sort === `-${name}`) return name;
  return sort === name ? undefined : `-${name}`;
}

/** How rows stand by a column, in the words of `aria-sort`. */
export function orderIn(sort: string | undefined, key: string | undefined) {
  if (key === undefined) return 'none';
  const rising = sort === key ? 'ascending' : 'none';
  return sort === `-${key}` ? 'descending' : rising;
}
