/** Texts that a token names by their places here, which are part of its form: another list is another version. */
export const tokenWords: readonly string[] = [
  ...['VastTag', 'RtbEp', 'PopFeed', 'BannerEp', 'Campaign', 'DspRtbEp', 'DspVastTag', 'DspPopFeed'],
  ...['video', 'banner', 'audio', 'native', 'pop'],
  ...['Windows', 'macOS', 'iOS', 'Android', 'Linux', 'Chrome OS', 'Tizen', 'WebOS', 'Roku', 'HarmonyOS'],
  ...['Chrome', 'Safari', 'Firefox', 'Microsoft Edge', 'Opera', 'Chromium', 'Samsung Internet for Android'],
  ...['Android Browser', 'Amazon Silk', 'UC Browser', 'us-east', 'eu', 'apac'],
  ...['640x480', '640x360', '1280x720', '1920x1080', '300x250', '320x50', '728x90', '160x600'],
  ...['300x600', '970x250', '320x100', '320x480', '480x320', '400x300', '336x280', '1x1'],
];
