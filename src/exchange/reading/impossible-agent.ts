/** Systems of which a device has one, as a user agent names them in its first parentheses. */
const systems = [/Windows NT/, /Macintosh/, /\bAndroid\b/, /\b(?:iPhone|iPad|iPod)\b/, /\bCrOS\b/];

/** First major versions that are decades away (in 2026: Chrome 145, Firefox 147, iOS 26, Android 16, Windows NT 10). */
const neverReleased: readonly (readonly [version: RegExp, from: number])[] = [
  [/\b(?:Chrome|CriOS|Edg|EdgA|EdgiOS)\/(\d+)/, 300],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 300],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//, 60],
  [/\b(?:iPhone )?OS (\d+)_/, 60],
  [/\bAndroid (\d+)/, 50],
  [/\bWindows NT (\d+)/, 12],
];

/** Whether no device can have it. Internet Explorer of Windows Phone names other systems, to get their pages. */
export function isImpossibleAgent(text: string): boolean {
  const [, platform = ''] = /\(([^)]*)\)/.exec(text) ?? [];
  const named = systems.filter((system) => system.test(platform)).length;
  if (named > 1 && !platform.includes('Windows Phone')) return true;
  return neverReleased.some(([version, from]) => Number(version.exec(text)?.[1] ?? 0) >= from);
}
