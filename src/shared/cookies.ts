/** Values of the cookies of that name in a `Cookie` header, as sent: partitions and paths may each have one. */
export function cookiesNamed(name: string, header = ''): readonly string[] {
  return header.split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=');
    return key.trim() === name ? [value.join('=').trim()] : [];
  });
}
