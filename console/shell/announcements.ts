/** Where screen readers hear of what has happened. */
const place = 'announcements';

/** Says something to who hears the screen. */
export function announce(text: string): void {
  const region = document.getElementById(place);
  if (region) region.textContent = text;
}
