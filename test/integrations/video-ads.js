// @ts-nocheck: runs in a page, in place of scripts that have no types.
// What Google's IMA SDK and JW Player do with a VAST tag, as far as code that is handed out calls them. Both are served
// to browsers by their makers alone, so these stand in for them: they ask for the tag, play its first linear ad and call
// its trackers.
import { VASTParser, VASTTracker } from '@dailymotion/vast-client';

async function linearOf(url) {
  const document = new DOMParser().parseFromString(await (await fetch(url)).text(), 'text/xml');
  const { ads } = await new VASTParser().parseVAST(document, { resolveAll: true });
  const [ad] = ads;
  const creative = ad?.creatives.find(({ type }) => type === 'linear');
  return creative && { creative, tracker: new VASTTracker(null, ad, creative) };
}

/** Shows the ad until its end; a test has no time to watch it. */
async function play({ creative, tracker }, container) {
  const video = Object.assign(document.createElement('video'), { muted: true, defaultPlaybackRate: 16 });
  container.append(video);
  video.src = creative.mediaFiles[0].fileURL;
  await video.play();
  tracker.setDuration(video.duration);
  tracker.trackImpression();
  await new Promise((resolve) => video.addEventListener('ended', resolve));
  for (const share of [0.01, 0.25, 0.5, 0.75]) tracker.setProgress(share * video.duration);
  tracker.complete();
  video.remove();
}

class Target {
  #listeners = [];
  addEventListener(type, listener) {
    this.#listeners.push([type, listener]);
  }
  tell(type, members) {
    for (const [of, listener] of this.#listeners) if (of === type) listener({ type, ...members });
  }
}

const names = (text) => Object.fromEntries(text.split(' ').map((name) => [name, name]));
const nothing = () => undefined;
const settings = new Proxy({}, { get: () => nothing });

class AdsManager extends Target {
  constructor(linear, container) {
    super();
    Object.assign(this, {
      linear,
      container,
      init: nothing,
      destroy: nothing,
      resize: nothing,
      setVolume: nothing,
    });
  }
  getCuePoints = () => [];
  getRemainingTime = () => 0;
  async start() {
    const ad = {
      isLinear: () => true,
      getDuration: () => 1,
      getAdPodInfo: nothing,
      getContentType: () => 'video/mp4',
    };
    const tell = (...types) => {
      for (const type of types) this.tell(type, { getAd: () => ad, getAdData: () => ({}) });
    };
    tell('LOADED', 'CONTENT_PAUSE_REQUESTED', 'STARTED');
    await play(this.linear, this.container);
    tell('COMPLETE', 'CONTENT_RESUME_REQUESTED', 'ALL_ADS_COMPLETED');
  }
}

class AdsLoader extends Target {
  constructor({ container }) {
    super();
    this.container = container;
  }
  getSettings = () => settings;
  contentComplete = nothing;
  async requestAds({ adTagUrl }) {
    const linear = await linearOf(adTagUrl);
    if (!linear) return this.tell('AD_ERROR', { getError: () => new Error('there is no ad') });
    const manager = new AdsManager(linear, this.container);
    this.tell('ADS_MANAGER_LOADED', { getAdsManager: () => manager });
  }
}

window.google = {
  ima: {
    AdsLoader,
    AdsRequest: class {
      setAdWillAutoPlay = nothing;
      setAdWillPlayMuted = nothing;
    },
    AdsRenderingSettings: class {},
    AdDisplayContainer: class {
      constructor(container) {
        this.container = container;
      }
      initialize = nothing;
    },
    AdErrorEvent: { Type: names('AD_ERROR') },
    AdsManagerLoadedEvent: { Type: names('ADS_MANAGER_LOADED') },
    AdEvent: {
      Type: names(
        'ALL_ADS_COMPLETED AD_BREAK_READY COMPLETE CONTENT_PAUSE_REQUESTED CONTENT_RESUME_REQUESTED LOADED LOG PAUSED RESUMED SKIPPED STARTED',
      ),
    },
    ImaSdkSettings: { VpaidMode: {} },
    OmidAccessMode: {},
    UiElements: {},
    ViewMode: {},
    settings,
  },
};

window.jwplayer = (id) => ({
  async setup({ file, advertising: { client, tag } }) {
    if (client !== 'vast') throw new Error(`${client} plays no VAST`);
    const macros = {
      '__player-width__': 640,
      '__player-height__': 360,
      '__page-url__': encodeURIComponent(location.href),
      '__random-number__': 4711,
      __gdpr__: 0,
      __gdpr_consent__: '',
    };
    const url = Object.entries(macros).reduce((text, [macro, value]) => text.replace(macro, value), tag);
    const container = document.getElementById(id);
    const linear = await linearOf(url);
    if (linear) await play(linear, container);
    const content = Object.assign(document.createElement('video'), { muted: true, src: file });
    container.append(content);
    await content.play();
  },
});
