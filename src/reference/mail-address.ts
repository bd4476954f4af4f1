const mailAddress = /^[^\s@"<>(),;:\\\p{Cc}]{1,64}@(?=.{1,253}$)[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/iu;

/** Whether a text is an e-mail address; of a host without a dot too, as `admin@localhost`. */
export function isMailAddress(text: string): boolean {
  return mailAddress.test(text);
}
