/** In their order in a form. */
export const sections = {
  General: 'What the object is, and who owns it',
  Contact: 'Who is behind the account, and how to reach them',
  Inventory: 'Where ads are shown: the site or app, and the position on it',
  Creative: 'The ad itself',
  Calls: 'Where and how demand is called',
  Price: 'What is paid, and how the price is determined',
  Limits: 'Maximum amounts and counts',
  Targeting: 'Which requests are accepted',
  Lists: 'What is blocked, or what alone is allowed',
  Quality: 'Checks against invalid traffic',
  Privacy: 'What the consent of viewers must cover, and who enforces it',
  'Supply chain': 'Who sells the inventory, and what demand is told about it',
  Protocol: 'The form of requests and answers',
  Connections: 'The other side',
  Access: 'URLs to hand out, and their credentials',
  Rule: 'What is watched, and when it fires and ends',
  Question: 'The question to the statistics',
  'Shown as': 'How the answer is shown',
  Sending: 'When it is sent, and where',
  State: 'Its present state',
  Statistics: 'Where figures are fetched',
  Figures: 'What was counted',
} as const;

export type SectionName = keyof typeof sections;

/** Sent to threads and edges. A field of another section that delivery reads says so by `isForDelivery`. */
export const deliverySections = [
  'Inventory',
  'Creative',
  'Calls',
  'Price',
  'Limits',
  'Targeting',
  'Lists',
  'Quality',
  'Privacy',
  'Supply chain',
  'Protocol',
] as const satisfies readonly SectionName[];

export type DeliverySection = (typeof deliverySections)[number];
