/** Makes `assets/demo/film.mp4` by Chromium's own encoder: `node scripts/demo-film.ts` */
import { writeFileSync } from 'node:fs';
import { startBrowser } from '../test/support/browser.ts';

const film = new URL('../assets/demo/film.mp4', import.meta.url);

/** Runs in the page: ten seconds of a ball above a bar chart, as the bytes of an MP4 file in base64. */
const record = `(async () => {
  const seconds = 10;
  const framesPerSecond = 12;
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
  const context = canvas.getContext('2d');
  const draw = (elapsed) => {
    context.fillStyle = '#12324a';
    context.fillRect(0, 0, 640, 360);
    context.fillStyle = '#1f5f8b';
    for (let bar = 0; bar < 8; bar += 1) {
      const height = 40 + 65 * (1 + Math.sin(bar * 0.9 + elapsed * 0.8));
      context.fillRect(32 + bar * 74, 360 - height, 58, height);
    }
    context.fillStyle = '#f4b942';
    context.beginPath();
    context.arc(40 + (560 * elapsed) / seconds, 150 - 60 * Math.abs(Math.sin(elapsed * 2)), 22, 0, 7);
    context.fill();
    context.fillStyle = '#ffffff';
    context.font = 'bold 34px sans-serif';
    context.fillText('An ad, sold by Bourse', 32, 52);
    context.font = '24px sans-serif';
    context.fillText(Math.ceil(seconds - elapsed) + ' s', 576, 52);
  };
  const recorder = new MediaRecorder(canvas.captureStream(framesPerSecond), {
    mimeType: 'video/mp4;codecs=avc1.42E01E',
    videoBitsPerSecond: 60_000,
  });
  const parts = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
  const startMs = performance.now();
  draw(0);
  recorder.start();
  const timer = setInterval(() => {
    const elapsed = (performance.now() - startMs) / 1000;
    draw(Math.min(elapsed, seconds));
    if (elapsed < seconds) return;
    clearInterval(timer);
    recorder.stop();
  }, 1000 / framesPerSecond);
  await stopped;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
})()`;

await using browser = await startBrowser();
const page = await browser.newPage();
writeFileSync(film, Buffer.from(await page.evaluate<string>(record), 'base64'));
