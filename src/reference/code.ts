/** As `/api/info/…` serves it. */
export type Code = { readonly Id: number; readonly Name: string };
