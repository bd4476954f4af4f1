import fc from 'fast-check';

const unit = fc.oneof(fc.nat(0x7f), fc.nat(0xffff)).map((code) => String.fromCharCode(code));
const dangerous = [
  ']]>',
  '"',
  "'",
  '<',
  '>',
  '&',
  '&amp;',
  '&x;',
  '<!--',
  '<![CDATA[',
  '<!DOCTYPE x>',
  '/>',
  '<?',
  '\r\n',
  '\0',
  '\ud800',
  '\udfff',
  '\ufffe',
  '😀',
  '\x85',
];

/** Any text, lone surrogates and control characters among it, and what means something in XML. */
export const hostileText = fc
  .array(fc.oneof(fc.string({ unit, maxLength: 20 }), fc.constantFrom(...dangerous)), { maxLength: 5 })
  .map((parts) => parts.join(''));
