import { type RunContext, withoutMarks } from '@nexus/plugin-sdk';
import type { Room } from '../reading/room.ts';
import type { Ground } from './evidence.ts';

/** What an answer names, looked up in the project. */
export function groundOf(run: RunContext, room: Room, said: string, name = 'evidence'): Promise<Ground> {
  const output = withoutMarks(said);
  const { projectRoot: root, privatePaths } = run.host;
  return run.step(name, ({ signal }) => room.visit({ signal })('groundIn', { output, root, privatePaths }), {
    title: 'looks the evidence up',
  });
}
