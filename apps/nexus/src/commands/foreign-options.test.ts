import { expect, it, vi } from 'vitest';
import { jobs } from './jobs.ts';
import { tasks } from './tasks.ts';
import { votes } from './votes.ts';

it.each([
  ['tasks', '--limit', () => tasks.run(['66dd'], { limit: 'x' }), 'nexus tasks <id>', 'nexus tasks'],
  ['tasks', '--status', () => tasks.run(['66dd'], { status: 'done' }), 'nexus tasks <id>', 'nexus tasks'],
  ['jobs', '--limit', () => jobs.run(['f86b'], { limit: '0' }), 'nexus jobs <id>', 'nexus jobs'],
  ['votes', '--limit', () => votes.run([['0af3']], { limit: '5' }), 'nexus votes <id>', 'nexus votes'],
  [
    'votes',
    '--source',
    () => votes.run([[]], { source: 'me' }),
    'nexus votes',
    'nexus votes outcome <id> <right or wrong>',
  ],
])('nexus %s refuses %s where it is not read', async (_command, flag, run, asked, reader) => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(await run()).toBe(1);
    expect(String(said.mock.calls[0]?.[0])).toContain(
      `${flag} is no option of \`${asked}\`, but of \`${reader}\``,
    );
  } finally {
    said.mockRestore();
  }
});
