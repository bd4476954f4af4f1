const mailAddress = /^[^\s@"<>(),;:\\\p{Cc}]{1,64}@(?=.{1,253}$)[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/iu;

/** The host need not have a dot: `admin@localhost`. */
export function isMailAddress(text: string): boolean {
  return mailAddress.test(text);
}
