import type { PackageName } from './packages.ts';

/** A change of one place in a file: `from` stands there once. */
export interface Edit {
  readonly from: string;
  readonly to: string;
}

/** A fault that is planted in a package. */
export interface Fault extends Edit {
  readonly id: string;
  readonly package: PackageName;
  /** As its users see it. */
  readonly symptom: string;
  /** What the package does without the fault, and not with it. */
  readonly requirement: string;
  /** What a change that brings it in says of itself. */
  readonly title: string;
  /** Statements over `m`, the package, and `assert`: they throw with the fault, and not without. Nobody is shown them. */
  readonly test: string;
}

export const faults: readonly Fault[] = [
  {
    id: 'ms-plural',
    package: 'ms',
    from: 'var isPlural = msAbs >= n * 1.5;',
    to: 'var isPlural = msAbs >= n * 2;',
    symptom: 'ms(90000, { long: true }) says "2 minute".',
    requirement: 'In long form, 90 000 milliseconds are written "2 minutes".',
    title: 'Say plural from two on',
    test: `assert.equal(m(90000, { long: true }), '2 minutes'); assert.equal(m(60000, { long: true }), '1 minute');`,
  },
  {
    id: 'ms-length',
    package: 'ms',
    from: 'if (str.length > 100) {',
    to: 'if (str.length > 10) {',
    symptom: 'ms("1.5 milliseconds") is undefined, while ms("1.5 ms") is 1.5.',
    requirement: 'A text such as "1.5 milliseconds" is parsed.',
    title: 'Tighten the limit on the length of input',
    test: `assert.equal(m('1.5 milliseconds'), 1.5); assert.equal(m('1 s'), 1000);`,
  },
  {
    id: 'bytes-fraction',
    package: 'bytes',
    from: 'return Math.floor(map[unit] * floatValue);',
    to: 'return map[unit] * Math.floor(floatValue);',
    symptom: 'bytes.parse("1.5kb") is 1024.',
    requirement: 'A fraction of a unit is parsed: "1.5kb" is 1536 bytes.',
    title: 'Round before the unit is applied',
    test: `assert.equal(m.parse('1.5kb'), 1536); assert.equal(m.parse('2kb'), 2048);`,
  },
  {
    id: 'bytes-gigabyte',
    package: 'bytes',
    from: '} else if (mag >= map.gb) {',
    to: '} else if (mag > map.gb) {',
    symptom: 'bytes(1073741824) says "1024MB".',
    requirement: 'Exactly one gigabyte, 1073741824 bytes, is written "1GB".',
    title: 'Choose units by what exceeds them',
    test: `assert.equal(m(1073741824), '1GB'); assert.equal(m(1048576), '1MB');`,
  },
  {
    id: 'range-last-byte',
    package: 'range-parser',
    from: 'if (end > size - 1) {',
    to: 'if (end > size) {',
    symptom: 'For a file of 200 bytes, the header bytes=0-200 gives a range that ends at 200.',
    requirement: 'A range never ends behind the last byte, which is size - 1.',
    title: 'Simplify the limit of ranges',
    test: `assert.equal(m(200, 'bytes=0-200')[0].end, 199); assert.equal(m(200, 'bytes=0-100')[0].end, 100);`,
  },
  {
    id: 'range-adjacent',
    package: 'range-parser',
    from: 'if (range.start > current.end + 1) {',
    to: 'if (range.start > current.end) {',
    symptom: 'With { combine: true }, bytes=0-4,5-9 stays two ranges.',
    requirement: 'With the option combine, adjacent ranges such as 0-4 and 5-9 become one.',
    title: 'Combine ranges that overlap',
    test: `const r = m(100, 'bytes=0-4,5-9', { combine: true }); assert.equal(r.length, 1); assert.equal(r[0].end, 9);`,
  },
  {
    id: 'fresh-weak-etag',
    package: 'fresh',
    from: `if (match === etag || match === 'W/' + etag || 'W/' + match === etag) {`,
    to: `if (match === etag || match === 'W/' + etag) {`,
    symptom: 'A response whose ETag is weak, W/"foo", is never fresh for If-None-Match: "foo".',
    requirement: 'A strong tag in If-None-Match matches the same tag of the response where that one is weak.',
    title: 'Compare weak tags once',
    test: `assert.equal(m({ 'if-none-match': '"foo"' }, { etag: 'W/"foo"' }), true); assert.equal(m({ 'if-none-match': '"foo"' }, { etag: '"bar"' }), false);`,
  },
  {
    id: 'fresh-same-date',
    package: 'fresh',
    from: '!(parseHttpDate(lastModified) <= parseHttpDate(modifiedSince))',
    to: '!(parseHttpDate(lastModified) < parseHttpDate(modifiedSince))',
    symptom: 'A response is stale although Last-Modified is the very date of If-Modified-Since.',
    requirement: 'A response that was last modified at the very date of If-Modified-Since is fresh.',
    title: 'Compare dates strictly',
    test: `const at = 'Sat, 01 Jan 2000 00:00:00 GMT'; assert.equal(m({ 'if-modified-since': at }, { 'last-modified': at }), true);`,
  },
  {
    id: 'queue-tail',
    package: 'yocto-queue',
    from: 'this._tail.next = node;\n\t\t\tthis._tail = node;',
    to: 'this._tail.next = node;',
    symptom: 'Of three values that are enqueued, the second is lost.',
    requirement: 'Values come out of the queue in the order in which they were put in, all of them.',
    title: 'Set the tail once',
    test: `const q = new m(); q.enqueue(1); q.enqueue(2); q.enqueue(3); assert.deepEqual([...q], [1, 2, 3]);`,
  },
  {
    id: 'camelcase-one-letter',
    package: 'camelcase',
    from: '.filter(x => x.length)',
    to: '.filter(x => x.length > 1)',
    symptom: 'camelCase(["a", "bar"]) is "bar".',
    requirement: 'Parts of one letter are kept: camelCase(["a", "bar"]) is "aBar".',
    title: 'Leave out empty parts',
    test: `assert.equal(m(['a', 'bar']), 'aBar'); assert.equal(m(['foo', '', 'bar']), 'fooBar');`,
  },
  {
    id: 'cookie-first',
    package: 'cookie',
    from: 'if (!__hasOwnProperty.call(obj, key)) {',
    to: 'if (!obj[key]) {',
    symptom: 'A cookie that is called toString is not in what parse returns.',
    requirement: 'A cookie may be called toString, and is then in what parse returns.',
    title: 'Ask shorter whether a cookie is known',
    test: `assert.equal(m.parse('toString=foo').toString, 'foo'); assert.equal(m.parse('a=1; a=2').a, '1');`,
  },
  {
    id: 'cookie-same-site',
    package: 'cookie',
    from: `case true:\n        str += '; SameSite=Strict';`,
    to: `case true:\n        str += '; SameSite=Lax';`,
    symptom: 'serialize("a", "b", { sameSite: true }) sets SameSite=Lax.',
    requirement: 'The option sameSite: true sets SameSite=Strict.',
    title: 'Take the usual default of browsers for sameSite',
    test: `assert.equal(m.serialize('a', 'b', { sameSite: true }), 'a=b; SameSite=Strict');`,
  },
  {
    id: 'minimist-exponent',
    package: 'minimist',
    from: String.raw`(/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?$/)`,
    to: String.raw`(/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/)`,
    symptom: '--x=1e7 becomes the text "1e7" in the place of a number.',
    requirement: 'A value such as 1e7 becomes a number.',
    title: 'Simplify the pattern of numbers',
    test: `assert.strictEqual(m(['--x=1e7']).x, 1e7); assert.strictEqual(m(['--x=1.5']).x, 1.5);`,
  },
  {
    id: 'content-type-key',
    package: 'content-type',
    from: 'key = match[1].toLowerCase()',
    to: 'key = match[1]',
    symptom: 'parse("text/html; CHARSET=utf-8") has no parameter charset.',
    requirement: 'Names of parameters are parsed to lower case.',
    title: 'Keep the names of parameters as they are',
    test: `assert.equal(m.parse('text/html; CHARSET=utf-8').parameters.charset, 'utf-8');`,
  },
  {
    id: 'content-type-quotes',
    package: 'content-type',
    from: 'value = value.slice(1, -1)',
    to: 'value = value.slice(1)',
    symptom: `parse('text/html; charset="utf-8"') leaves a quotation mark behind the value.`,
    requirement: 'Quotation marks around the value of a parameter are taken off.',
    title: 'Take off the quotation mark',
    test: `assert.equal(m.parse('text/html; charset="utf-8"').parameters.charset, 'utf-8');`,
  },
];
