#!/usr/bin/env node
// Verifies an audit trail of Nexus, and shares no line with Nexus: what it needs to know stands in audit.md.
//
//   node verify-audit.mjs <folder of the trail> [verifier keys, with white space between them]
//
// Exit code 0: every chain and every checkpoint fits. 1: something does not, and each line says what.
import { createHash, createHmac, createPublicKey, verify } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [trail, given = ''] = process.argv.slice(2);
const keys = given.split(/\s+/).filter(Boolean);
const faults = [];
const sha256 = (...parts) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();
const names = (folder) => (existsSync(folder) ? readdirSync(folder).sort() : []);

/** RFC 8785. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(',')}}`;
}

/** A row of what opens commitments; half a one, of a full disk or a killed writer, opens nothing. */
function opening(row) {
  try {
    return [JSON.parse(row)];
  } catch {
    return [];
  }
}

// 1. Each chain: numbers without a gap, each line's own hash, and the hash of the line before.
const project = readFileSync(join(trail, 'project'), 'utf8').trim();
const hashes = new Map();
const retired = [];
const told = [];
const lost = [];
const erasures = [];
for (const writer of names(join(trail, 'writers'))) {
  const folder = join(trail, 'writers', writer);
  const chain = [];
  const salts = names(folder).filter((name) => name.startsWith('openings.jsonl'));
  const rows = salts.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean));
  const openings = new Map();
  for (const row of rows.flatMap(opening)) {
    const name = `${row.seq} ${row.member}`;
    openings.set(name, [...(openings.get(name) ?? []), row]);
  }
  const isOpen = (seq, member, { hmac, saltHash }) =>
    (openings.get(`${seq} ${member}`) ?? []).some(({ salt, text }) => {
      const bytes = Buffer.from(salt, 'hex');
      if (saltHash && sha256(bytes).toString('hex') !== saltHash) return false;
      return text === undefined || createHmac('sha256', bytes).update(text).digest('hex') === hmac;
    });
  let prev = '0'.repeat(64);
  let end = Number.POSITIVE_INFINITY;
  for (const file of names(folder).filter((name) => /^\d{6}\.jsonl$/.test(name))) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    lines.pop(); // What follows the last line end was never whole.
    for (const [index, line] of lines.entries()) {
      const place = `${writer}/${file}:${index + 1}`;
      try {
        const { hash, ...event } = JSON.parse(line);
        if (sha256(canonical(event)).toString('hex') !== hash)
          faults.push(`${place}: its hash is not that of its words`);
        if (`${canonical(event).slice(0, -1)},"hash":"${hash}"}` !== line)
          faults.push(`${place}: it is not canonical`);
        if (event.writer !== writer || event.project !== project)
          faults.push(`${place}: it is of another chain`);
        if (event.seq !== chain.length || event.prev !== prev)
          faults.push(`${place}: it does not follow the line before`);
        if (event.seq === 0 && event.kind !== 'writer.begin')
          faults.push(`${place}: a chain begins with writer.begin`);
        if (event.seq > end) faults.push(`${place}: its writer had ended`);
        if (event.kind === 'writer.end') end = event.seq;
        if (event.kind === 'writer.retired') retired.push(event.data);
        if (event.kind === 'contents.erased')
          erasures.push({ writer, until: event.data.before ?? '~', at: event.at });
        for (const [member, value] of Object.entries(event.data))
          if (value?.hmac && !isOpen(event.seq, member, value)) lost.push({ place, at: event.at });
        if (event.kind === 'checkpoint') told.push({ place, ...event.data });
        if (event.kind === 'writer.closed') told.push({ place, head: event.data });
        chain.push(hash);
        prev = hash;
      } catch {
        faults.push(`${place}: it is no JSON`);
      }
    }
  }
  hashes.set(writer, chain);
}

/** RFC 6962, section 2.1. */
function root(leaves) {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256([0], leaves[0]);
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return sha256([1], root(leaves.slice(0, half)), root(leaves.slice(half)));
}

// 2. Each checkpoint: its signature, the one before, its tree, and the heads that it names in the chains.
const publicKeys = keys.map((key) => {
  const [name, id, ...rest] = key.split('+');
  const x = Buffer.from(rest.join('+'), 'base64').subarray(1).toString('base64url');
  return { name, id, key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }) };
});
const hasKey = publicKeys.length > 0;
const origin = `nexus/audit/${encodeURIComponent(project)}`;
/** Whether a signed note is signed by one of the keys; without a key nobody can tell. */
function isSigned(note, end = note.lastIndexOf('\n\n') + 1) {
  const [, signer, signature] = note.slice(end + 1, -1).split(' ');
  const bytes = Buffer.from(signature ?? '', 'base64');
  if (!hasKey) return true;
  const by = publicKeys.find(
    ({ name, id }) => signer === name && bytes.subarray(0, 4).toString('hex') === id,
  );
  return by !== undefined && verify(null, Buffer.from(note.slice(0, end)), by.key, bytes.subarray(4));
}
const says = (note, text) => note.startsWith(`${origin}\n${text}\n\n`) && isSigned(note);
const gone = new Set();
for (const { writer, seq, hash, note } of retired)
  if (!hasKey || says(String(note), `retired ${writer} ${seq} ${hash}`)) gone.add(writer);
const heads = new Map();
const notes = [];
for (const file of names(join(trail, 'checkpoints')).filter((each) => /^\d{8}\.note$/.test(each))) {
  const note = readFileSync(join(trail, 'checkpoints', file), 'utf8');
  const end = note.lastIndexOf('\n\n') + 1;
  const [ofTrail, size, stated, number, , prev, ...changed] = note.slice(0, end - 1).split('\n');
  if (!isSigned(note)) faults.push(`${file}: it is not signed by the key`);
  if (ofTrail !== origin) faults.push(`${file}: it is of another trail`);
  if (number !== `number ${notes.length + 1}` || prev !== `prev ${notes.at(-1) ?? '0'.repeat(64)}`) {
    faults.push(`${file}: it does not follow the checkpoint before`);
  }
  for (const head of changed) {
    const [, writer, first, seq, hash] = head.split(' ');
    heads.set(writer, head);
    const chain = hashes.get(writer);
    if (!chain && gone.has(writer)) continue;
    if (chain?.[0] !== first || chain?.[Number(seq)] !== hash)
      faults.push(`${file}: ${writer} has no such event ${seq}`);
  }
  const leaves = [...heads.keys()].sort().map((writer) => heads.get(writer));
  if (String(leaves.length) !== size || root(leaves).toString('base64') !== stated)
    faults.push(`${file}: its root is wrong`);
  notes.push(sha256(note).toString('hex'));
}

let erased = '';
for (const [writer, chain] of hashes) {
  const file = join(trail, 'writers', writer, 'begin.note');
  const isBegun = existsSync(file) && says(readFileSync(file, 'utf8'), `begin ${writer} ${chain[0]}`);
  const isMadeUp = hasKey && !isBegun && !heads.has(writer);
  if (isMadeUp && chain.length > 1) faults.push(`${writer}: nobody with the key began it`);
  // It excuses nothing that came after it, and what somebody made up excuses nothing.
  for (const { until, at } of isMadeUp ? [] : erasures.filter((each) => each.writer === writer))
    erased = [erased, until < at ? until : at].sort().at(-1);
}

// 3. What the chains say of checkpoints and of each other.
for (const { place, number, hash, head, key: signer } of told) {
  const ended = head && !gone.has(head.writer) ? (hashes.get(head.writer) ?? []) : undefined;
  if (ended && (ended[head.seq] !== head.hash || ended.length !== head.seq + 1))
    faults.push(`${place}: ${head.writer} ended otherwise`);
  if (number && notes[number - 1] !== hash)
    faults.push(`${place}: checkpoint ${number} is another, or is missing`);
  if (signer && hasKey && !keys.includes(signer))
    faults.push(`${place}: checkpoint ${number} was signed by ${signer}`);
}
for (const { place, at } of lost.filter(({ at }) => at > erased))
  faults.push(`${place}: nothing opens a commitment of ${at}, and no erasure is on record`);
for (const fault of faults) console.log(fault);
console.log(faults.length === 0 ? 'Everything fits.' : `${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;
