/** `Mimes` of a Banner EP are about its page and about its videos. */
export const isVideoMime = (mime: string): boolean => /^video\//i.test(mime);
