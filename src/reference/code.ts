/** One number of a code list and what it stands for, as `/api/info/…` serves it. */
export type Code = { readonly Id: number; readonly Name: string };
