import type { Tag } from '../endpoint/endpoint.ts';

/** Endpoints about a team's configuration as a whole. */
export const configTag: Tag = {
  name: 'Configuration as code',
  description: "A team's whole configuration as one document.",
};

/** How the document is built, for descriptions. */
export const documentShape =
  'Objects stand under their kind, each under its `Name`; the second of a name has the `Key` `<Name>~2`. They name each other by key. What is left out has the value that an add without it stores. A connection stands on the side of the supply, and on the other side only where the order there is another one; a side that leaves it out keeps its connections with objects that are not in the document.';

/** A small document. */
export const configExample = {
  Version: 1,
  Publisher: [
    { Name: 'Example Weekly', Mail: 'desk@weekly.example', Country: 'DE', Username: 'example-weekly' },
  ],
  VastTag: [{ Name: 'Weekly pre-roll', Publisher: 'Example Weekly', Bidfloor: 1.5, Tags: ['Weekly'] }],
  Tag: [{ Name: 'Weekly', Color: '#2a7' }],
};
