/** For supply that sends none (Dynamic Native Ads API 1.2, section 4). */
export const nativeRequest: string = JSON.stringify({
  ver: '1.2',
  context: 1,
  plcmttype: 1,
  plcmtcnt: 1,
  assets: [
    { id: 1, required: 1, title: { len: 90 } },
    { id: 2, required: 1, img: { type: 3, wmin: 300, hmin: 157 } },
    { id: 3, required: 0, img: { type: 1, wmin: 50, hmin: 50 } },
    { id: 4, required: 0, data: { type: 2, len: 140 } },
    { id: 5, required: 0, data: { type: 1, len: 25 } },
    { id: 6, required: 0, data: { type: 12, len: 15 } },
  ],
  eventtrackers: [{ event: 1, methods: [1, 2] }],
});
