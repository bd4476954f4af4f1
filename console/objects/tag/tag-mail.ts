interface Letter {
  readonly to: string;
  /** The object's. */
  readonly name: string;
  readonly platform: string;
  readonly help: string;
  readonly code: string;
}

/** Windows hands no longer links to a mail program. */
const linkMax = 2000;

/** A link that opens a mail with the tag. `isWhole`: false if the code is too long for that and must be pasted. */
export function tagMail({ to, name, platform, help, code }: Letter): {
  readonly href: string;
  readonly isWhole: boolean;
} {
  const link = (part: string) => {
    const text = `Hello,\n\nhere is our tag "${name}" for ${platform}.\n\n${help.replaceAll('`', '')}\n\n${part}\n`;
    const query = { subject: `Our tag "${name}" for ${platform}`, body: text.replaceAll('\n', '\r\n') };
    const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    return `mailto:${encodeURIComponent(to).replaceAll('%40', '@')}?${pairs.join('&')}`;
  };
  const whole = link(code);
  return whole.length <= linkMax
    ? { href: whole, isWhole: true }
    : { href: link('[Paste the code here.]'), isWhole: false };
}
