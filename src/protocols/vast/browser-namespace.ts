/** Namespaces of the W3C for documents that browsers show, run or transform, whatever their version. */
const ofDocuments =
  /^https?:\/\/(?:www\.)?w3\.org\/(?:[\w.-]+\/)*(?:x?html|svg|math|xsl|wd-xsl|rec-html|xforms|xml-events|xinclude|xbl|smil|xlink)/i;
const ofBrowsers = /^(?:https?:\/\/(?:www\.)?(?:mozilla|wapforum)\.org\/|urn:schemas-microsoft-com:)/i;
/** A bidder's macro, which may become any of them once it is filled. */
const macro = /AUCTION_/i;

/**
 * Whether elements of a namespace mean something to browsers, as XHTML's and SVG's do: scripts run, pictures load.
 * VAST's own namespaces are none of them, nor are those of vendors.
 */
export function isBrowserNamespace(uri: string): boolean {
  return uri !== '' && (ofDocuments.test(uri) || ofBrowsers.test(uri) || macro.test(uri));
}
