/** W3C namespaces of what browsers show, run or transform, in any version. */
const ofDocuments =
  /^https?:\/\/(?:www\.)?w3\.org\/(?:[\w.-]+\/)*(?:x?html|svg|math|xsl|wd-xsl|rec-html|xforms|xml-events|xinclude|xbl|smil|xlink)/i;
const ofBrowsers = /^(?:https?:\/\/(?:www\.)?(?:mozilla|wapforum)\.org\/|urn:schemas-microsoft-com:)/i;
/** It may become any of them once filled. */
const macro = /AUCTION_/i;

/** Whether browsers run or load its elements, as XHTML's and SVG's; VAST's and vendors' namespaces are harmless. */
export function isBrowserNamespace(uri: string): boolean {
  return uri !== '' && (ofDocuments.test(uri) || ofBrowsers.test(uri) || macro.test(uri));
}
