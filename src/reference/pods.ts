/** Ads of a pod, whatever an object or request allows. */
export const podAdsMax = 20;
