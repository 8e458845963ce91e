import { parseDocument, LineCounter } from 'yaml';
const cases = {
  brackets: '['.repeat(65536), braces: '{a:'.repeat(20000), dash: '- '.repeat(30000), q: '? '.repeat(30000),
  nested: Array.from({length: 350}, (_, i) => ' '.repeat(i) + 'a:').join('\n'),
  lines: 'a: b\n'.repeat(13000), keys: Array.from({length: 9000}, (_, i) => `k${i}: v`).join('\n'),
  anchors: 'a: &a [x,x,x,x,x,x,x,x,x,x]\n' + Array.from({length: 20}, (_, i) => `b${i}: &b${i} [${Array(9).fill(i ? '*b'+(i-1) : '*a').join(',')}]`).join('\n'),
  quotes: '"'.repeat(65535), closes: ']'.repeat(65536), flowkeys: '{' + 'a,'.repeat(30000), comments: '#\n'.repeat(30000), tags: '!a '.repeat(20000), alias: 'a: &x 1\nb: [' + '*x,'.repeat(20000) + ']',
  anchorsmany: Array.from({length: 6000}, (_, i) => `a${i}: &a${i} 1`).join('\n') , blocks: 'a: |\n' + ' x\n'.repeat(20000),
  anch2: '[' + Array.from({length: 5000}, (_, i) => `&a${i} 1, *a${i}`).join(',') + ']',
};
for (const [n, t] of Object.entries(cases)) {
  const s = performance.now(); let r = '';
  try { const d = parseDocument(t, { lineCounter: new LineCounter() }); r = d.errors.length + ' errors ' + (d.errors[0]?.message ?? '').slice(0,60).replace(/\n/g,' '); try { d.toJS() } catch (e) { r += ' toJS ' + e.message.slice(0,60) } } catch (e) { r = 'threw ' + e.message.slice(0,60) }
  console.log(n, t.length, Math.round(performance.now() - s), 'ms', r);
}
