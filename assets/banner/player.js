import { client, noMedia, play, playable } from './vast-player.js';

const video = document.querySelector('video');
const text = JSON.parse(document.getElementById('vast').textContent);
const { ads } = await client.parseVAST(new DOMParser().parseFromString(text, 'text/xml'));
const found = playable(video, ads);
if (found) play(video, found).catch(() => undefined);
else
  for (const { errorURLTemplates } of ads) {
    for (const url of errorURLTemplates) new Image().src = url.replace('[ERRORCODE]', noMedia);
  }
