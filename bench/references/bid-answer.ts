const media = `<MediaFile delivery="progressive" type="video/mp4" width="640" height="360">
  <![CDATA[https://cdn.example/film.mp4]]></MediaFile>`;
const vast = `<VAST version="3.0"><Ad id="mock"><InLine><AdSystem>Mock</AdSystem><AdTitle>Film</AdTitle>
  <Impression><![CDATA[https://dsp.example/impression?p=\${AUCTION_PRICE}]]></Impression><Creatives><Creative><Linear>
  <Duration>00:00:15</Duration><MediaFiles>${media}</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
const bid = { id: 'b', impid: '1', price: 3, crid: 'film', adomain: ['brand.example'], mtype: 2, adm: vast };
/** A bid response with one bid of 3 USD and a short VAST, for the bid request of that ID. */
export const answerTo = (id: string): string => JSON.stringify({ id, cur: 'USD', seatbid: [{ bid: [bid] }] });

/** The ID of a bid request of ours, a UUID, found without parsing it; `""` if it has none. */
export const idOf = (body: string): string => /"id":"([\da-f-]{36})"/.exec(body)?.[1] ?? '';
