/**
 * Letters and signs that look like these, after compatible ones are one: all single ones of the confusables of UTS 39
 * (Unicode 10), which has one shape for `I`, `l` and `1`, and what that leaves out: Coptic, small capitals, letters on a
 * ground, and regional indicators.
 */
const ALIKE: Readonly<Record<string, string>> = {
  a: 'ɑΑαАаᎪᗅ⍶⍺ꓮꭺ\u{102a0}\u{16f40}\u{1f150}\u{1f170}\u{1f1e6}',
  b: 'ƄΒβВЬвʙᏏᑲᖯᗷᴃꓐꞴꞵ\u{10282}\u{102a1}\u{10301}\u{1f151}\u{1f171}\u{1f1e7}',
  c: '¢ȼΣςϲϹСсҪҫᏟᴄ₡Ⲥⲥꓚꮯ\u{102a2}\u{10302}\u{10415}\u{1043d}\u{1051c}\u{118e9}\u{118f2}\u{1f152}\u{1f172}\u{1f1e8}\u{1f74c}',
  d: 'ÐĐđƉƌɖɗԁᎠᏧᑯᗞᗪ₫ꓒꓓꭰꮷ\u{1f153}\u{1f173}\u{1f1e9}',
  e: 'ɆɇΕεЕеєҽҿᎬᴇ℮⋿Ⲉⲉⴹꓰꬲꭼ\u{10286}\u{118a6}\u{118ae}\u{1f154}\u{1f174}\u{1f1ea}',
  f: 'ƑƒϜϝϤϥքᖴᵮẝꓝꞘꞙꬵ\u{10287}\u{102a5}\u{10525}\u{118a2}\u{118c2}\u{1d213}\u{1f155}\u{1f175}\u{1f1eb}',
  g: 'ƍǤǥɠɡԌԍցᏀᏳᶃⲄꓖꮐ\u{1f156}\u{1f176}\u{1f1ec}',
  h: 'ĦħɦʜΗНнћҢһӇӉհᎻᏂᏲᕼⱧⲎⲏꓧꚕꮋꮒ\u{102cf}\u{1f157}\u{1f177}\u{1f1ed}',
  i: 'ıŁłƖƗƚǀɨɩɪɫɭΙιІіӀӏ\u{5c0}\u{5d5}\u{5df}\u{627}\u{661}\u{673}\u{6f1}\u{7ca}ᎥᏞᒪᛁᵻᵼ∣⍳⍸⏽│ⲒⲓⳐⵏꓡꓲꙇꭵꮮ\u{1028a}\u{10309}\u{10320}\u{1041b}\u{10526}\u{118a3}\u{118b2}\u{118c3}\u{16f16}\u{16f28}\u{1d22a}\u{1e8c7}\u{1f158}\u{1f178}\u{1f1ee}',
  j: 'ͿϳЈјʝᎫᒍᴊꓙ\u{1f159}\u{1f179}\u{1f1ef}',
  k: 'ΚκϰКкҚқҜҝᏦᛕᴋⲔⲕꓗꝀꝁ\u{10518}\u{1f15a}\u{1f17a}\u{1f1f0}',
  m: 'ΜϺМмɱʍᎷᗰᛖᴍᵯⲘⲙꓟ\u{102b0}\u{10311}\u{1f15c}\u{1f17c}\u{1f1f2}',
  n: 'ƝƞɳɴΝηпոռᵰⲚⲛꓠ\u{1018e}\u{10513}\u{1f15d}\u{1f17d}\u{1f1f3}',
  o: 'ØøƟɵΘΟθοσОоѲѳӨөՕօ\u{5e1}\u{647}\u{665}\u{6be}\u{6c1}\u{6d5}\u{6f5}\u{6ff}\u{7c0}०০੦૦ଠ୦௦౦೦ഠ൦๐໐တဝ၀ჿዐᎾᏫᴏᴑ⊖⊝⍬Ⲟⲟⴱⵁⵔ〇ꓳꝊꝋꬽꬾꭴꮎꮻ\u{10292}\u{102ab}\u{10404}\u{1042c}\u{104c2}\u{104ea}\u{10516}\u{114d0}\u{118b5}\u{118c8}\u{118d7}\u{118e0}\u{1d21a}\u{1f15e}\u{1f17e}\u{1f1f4}\u{1f714}',
  p: 'ΡρϱРрҏƿᏢᑭᴘᵽⲢⲣꓑ\u{10295}\u{1f15f}\u{1f17f}\u{1f1f5}',
  q: 'Ԛԛգզⵕ\u{1f160}\u{1f180}\u{1f1f6}',
  r: 'ƦɍɼɽʀгғᎡᏒᖇᴦᵲⲅꓣꭇꭈꮁꭱꮢ\u{104b4}\u{16f35}\u{1d216}\u{1f161}\u{1f181}\u{1f1f7}',
  s: 'ƽʂЅѕՏᏕᏚᵴⲊⲋꓢꜱꮪꮥ\u{10296}\u{10420}\u{10448}\u{118c1}\u{16f3a}\u{1f162}\u{1f182}\u{1f1f8}',
  t: 'ŦŧƭƮȾΤτТтҬᎢᴛᵵ₮⊤⍡⟙Ⲧⲧꓔꭲ\u{10297}\u{102b1}\u{10315}\u{118bc}\u{16f0a}\u{1f163}\u{1f183}\u{1f1f9}\u{1f768}',
  u: 'ɄʋμυцՍսሀᏌᑌᴜᵾ∪⋃Ⲩⲩꓴꞟꭎꭒꮜ\u{104ce}\u{104f6}\u{118b8}\u{118d8}\u{16f42}\u{1f164}\u{1f184}\u{1f1fa}',
  v: '√∨⋁νѵטᏙᏤᴠⱱⴸꛟꝞꝟꞲꮩꮴ\u{667}\u{6f7}',
  w: 'ɯшѡѽԜԝաᎳᏔᴡ₩Ⲱⲱꓪꝡꮃꮤ\u{114c5}\u{1170a}\u{1170e}\u{1170f}\u{118e6}\u{118ef}\u{1f166}\u{1f186}\u{1f1fc}',
  x: '×ΧχХхҲᕁᕽ᙭᙮ᚷ╳⤫⤬⨯⨰ⲬⲭⵝꓫꞳ\u{10196}\u{10290}\u{102b4}\u{10317}\u{10322}\u{10527}\u{118ec}\u{1f167}\u{1f187}\u{1f1fd}',
  y: 'ΥγУуҮүҰұƳƴɣʏყᎩᎽᶌỿꓬ\u{102b2}\u{1f168}\u{1f188}\u{1f1fe}',
  z: 'ΖƵƶʐᏃᴢᶎⲌⲍꓜ\u{102f5}\u{1f169}\u{1f189}\u{1f1ff}',
};

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIKE).flatMap(([letter, alike]) =>
    [...alike].map((each): [string, string] => [each, /\p{Ll}/u.test(each) ? letter : letter.toUpperCase()]),
  ),
);
const ANY = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu');

/** A text with each of those as the letter of ASCII that it looks like. */
export function inPlainLetters(text: string): string {
  return text.replace(ANY, (each) => LETTERS.get(each) ?? each);
}
