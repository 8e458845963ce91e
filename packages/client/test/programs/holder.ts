// Holds connections to two servers until it is killed; prints the processes that it is responsible for.
import { ANSWER_MS, endsWithin } from '@nexus/core';
import { open, stdioSettings } from '../stdio-fixture.ts';

const facts = { name: 'facts' };
const stubborn = await open(stdioSettings('stubborn'));
const parent = await open(stdioSettings('grandchild'));
const { env } = await parent.connection.request('tools/call', facts, { signal: endsWithin(ANSWER_MS) });
const grandchild = Number((env as Record<string, string>).GRANDCHILD);
process.stdout.write(`${JSON.stringify([stubborn.connection.pid, parent.connection.pid, grandchild])}\n`);
