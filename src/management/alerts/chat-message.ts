import type { ChatFormat } from '../../reference/chat-formats.ts';

interface ChatText {
  readonly subject: string;
  readonly text: string;
}

const cut = (text: string, charactersMax: number) =>
  text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 2)}\n…`;

/** In Slack, only these three characters can begin a mention or a link (its "Formatting text for app surfaces"). */
const slackText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Shows a text of others as it is: nothing in it becomes a format or a link with another text; URLs stay whole. */
const plainMarkdown = (text: string) =>
  text.replaceAll(/https?:\/\/[^\s()[\]]+|[\\`*_~|[\]()<>#@]/g, (found) =>
    found.length > 1 ? found : `\\${found}`,
  );

const slackCharactersMax = 3000;
const discordCharactersMax = 2000;
const teamsLinesMax = 60;

function adaptiveCard({ subject, text }: ChatText) {
  const block = (line: string, more: object = {}) => ({
    type: 'TextBlock',
    text: plainMarkdown(line),
    wrap: true,
    ...more,
  });
  const lines = text.split('\n').filter((line) => line !== '');
  const shown = lines.slice(0, teamsLinesMax).map((line) => block(line, { spacing: 'None' }));
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(subject, { weight: 'Bolder' }),
      ...shown,
      ...(lines.length > teamsLinesMax ? [block('…')] : []),
    ],
  };
}

/** The JSON of a message for each service: no name in it mentions people or looks like something else. */
export const chatBodies: Readonly<Record<ChatFormat, (message: ChatText) => object>> = {
  Slack: ({ subject, text }) => ({
    text: slackText(cut(`${subject}\n${text}`, slackCharactersMax)),
    mrkdwn: false,
    unfurl_links: false,
  }),
  Teams: (message) => ({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: adaptiveCard(message) }],
  }),
  Discord: ({ subject, text }) => ({
    content: cut(plainMarkdown(`${subject}\n${text}`), discordCharactersMax),
    allowed_mentions: { parse: [] },
    // Suppresses previews of links.
    flags: 4,
  }),
};
