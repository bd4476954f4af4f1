/** In their order in a form. */
export const sections = {
  General: 'What the object is and whose it is',
  Contact: 'Who is behind the account, and how to reach them',
  Inventory: 'Where ads are shown: the site or app, and the place on it',
  Creative: 'The ad itself',
  Calls: 'Where and how demand is asked',
  Price: 'What is paid, and how the price is found',
  Limits: 'How much of what at most',
  Targeting: 'Which requests are wanted',
  Lists: 'What is blocked, or allowed alone',
  Quality: 'What is checked against invalid traffic',
  'Supply chain': 'Who sells the inventory, and what is told of it',
  Protocol: 'How requests and answers are made',
  Connections: 'The other side',
  Access: 'URLs to hand out, and their credentials',
  Rule: 'What is watched, and when it fires and ends',
  Question: 'What is asked of the statistics',
  'Shown as': 'How the answer is shown',
  Sending: 'When it is sent, and where',
  State: 'How it is now',
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
  'Supply chain',
  'Protocol',
] as const satisfies readonly SectionName[];

export type DeliverySection = (typeof deliverySections)[number];
