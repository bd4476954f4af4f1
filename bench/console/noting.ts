/** A script for pages that notes in `self[name]` when an element is on the screen first, in ms since the navigation. */
export const notingFirst = (name: string, selector: string) => `
  new MutationObserver((changes, observer) => {
    if (!document.querySelector('${selector}')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { self.${name} = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });
`;

/** Waits for what a script notes in `self[name]`. The page's own rules forbid Playwright's way, which makes code of text. */
export const noted = (name: string) => `new Promise((resolve) => {
  const look = () => self.${name} === undefined ? setTimeout(look, 10) : resolve(self.${name});
  look();
})`;
